"""Answers about example scenes, true and with one wrong number, name or ray set each: what the
check of answers must let pass, and what it must mark.
"""

from typing import Any, NamedTuple


class Asked(NamedTuple):
    """A question, the calls that were made for it, and answers: the true ones, and those with one
    wrong part, by that part.
    """

    scene: str
    question: str
    calls: list[tuple[str, dict[str, Any]]]
    true: list[str]
    wrong: list[tuple[str, str]]


PRISM = Asked(
    "example:prism",
    "How much light reaches Screen, and where is the rest lost? The lamp emits 10 mW.",
    [
        ("losses_xml", {}),
        ("measure_xml", {"measures": "power(Screen); rms(Screen)"}),
        ("find_rays_xml", {"hits": "Screen"}),
        ("read_objects", {"names": ["Collimator", "Screen"]}),
    ],
    [
        "Screen receives 37.57 of the emitted 44, that is 85.4 % (R1). The largest loss, 11.7 %,"
        " escapes after Collimator.",
        "About 85 % of the light reaches Screen (R1); roughly an eighth (11.7 %) passes the"
        " Collimator and escapes.",
        "Neither is lost: 44 is emitted, and up to 37.57 arrive at Screen.",
        "67 rays hit Screen (R2). Their RMS radius is 1.8 mm, or 1835 µm (R1).",
        "Of 44 units of power, 37.6 arrive at Screen. The remaining 14.6 % are lost, most of it"
        " (5.15) after Collimator.",
        "With 10 mW at the lamp, Screen receives 8.54 mW.",
        "Screen gets about seven times as much as what escapes after Collimator: 37.6 against 5.2.",
        "Collimator has a focal length of 240 mm, i.e. 24 cm, and spans 180 mm.",
        "Die Leistung auf Screen ist 37,57, also 85,4 %.",
        "After Main Prism 2 % is lost, after Focusing Lens 0.8 %: together 1.25 of the power.",
    ],
    [
        ("Screen receives 35.77 of the emitted 44 (R1).", "35.77"),
        ("Screen receives 37.57 of the emitted 44, that is 86.4 %.", "86.4"),
        ("Screen receives 5.15, the rest of 44 is lost.", "5.15"),
        ("Screen receives 37.57 mW.", "37.57"),
        ("67 rays hit Screen (R9).", "R9"),
        ("76 rays hit Screen (R2).", "76"),
        ("Up to 76 rays hit Screen (R2).", "76"),
        ("The first ray that hits Screen (R2) is r1-99999.", "r1-99999"),
        ("Screen 2 receives 37.57 of the emitted 44.", "Screen 2"),
        ("The RMS radius on Screen is 1.83 µm (R1).", "1.83"),
        ("Laser 3 sends 85.4 % of its light to Screen.", "Laser 3"),
        ("The largest loss is 11.7 %, after Main Prism.", "11.7"),
        (
            "Screen gets about nine times as much as what escapes after Collimator.",
            "nine times",
        ),
        ("With 10 mW at the lamp, Screen receives 9.45 mW.", "9.45"),
        ("Die Leistung auf Screen ist 37,75, also 85,4 %.", "37,75"),
        ("The Rear Lens loses 0.8 % of the light.", "Rear Lens"),
        ("Collimator has a focal length of 420 mm.", "420"),
    ],
)
TELESCOPE = Asked(
    "example:newton-telescope",
    "Where does the light of the star go?",
    [("who_lights_what_xml", {}), ("losses_xml", {}), ("ray_statistics_xml", {})],
    [
        "Field receives 61.1 % of the light of Star (R1), a third escapes after Diagonal, and 5.6 %"
        " after Primary.",
        "Of the 18 rays of Star 11 end on Field (R1). Diagonal is hit by 17 rays, Primary by 12.",
        "1. Field: 11 (61 %)\n2. Diagonal: 6 (33 %)\n3. Primary: 1 (6 %)",
        "| Object | Power | Share |\n|---|---|---|\n| Field | 11 | 61.1 % |\n| Diagonal | 17 |"
        " 94.4 % |\n| Primary | 12 | 66.7 % |",
        "7 of the 18 rays escape, that is 38.9 %; two mirrors reflect the light.",
        "The two mirrors lose 7 of 18. Diagonal gets 5 rays more than Primary (17 against 12).",
        "More than half of the light, 11 of 18, arrives at Field; Primary receives two thirds.",
        "The trace has 47 rays (R2), on average 209.9 mm long.",
    ],
    [
        ("Field receives 66.1 % of the light of Star (R1).", "66.1"),
        ("Field receives 94.4 % of the light (R1).", "94.4"),
        ("A quarter of the light escapes after Diagonal.", "quarter"),
        ("Of the 18 rays of Star 12 end on Field (R1).", "12"),
        ("Field receives 11 of 18 rays (R3).", "R3"),
        ("Diagonal: 11 (61 %)\nField: 17 (94.4 %)", "11"),
        ("The Corrector takes 5.56 % of the light.", "Corrector"),
        ("8 of the 18 rays escape.", "8"),
        ("Diagonal gets 7 rays more than Primary (17 against 12).", "7"),
        ("The rays are on average 209.9 nm long.", "209.9"),
        ("Primary receives half of the light.", "half"),
        ("Secondary receives 17 rays, Primary 12.", "Secondary"),
    ],
)
CAMERA = Asked(
    "example:ghosts",
    "How strong are the ghosts on Sensor, and is the image sharp?",
    [
        ("measure_xml", {"measures": "focal_length(Front); rms(Sensor); beam_width(Front)"}),
        ("find_ghosts_xml", {"object_name": "Sensor", "max_paths": 3}),
        ("losses_xml", {}),
        ("refractive_index_xml", {"glass_name": "Front"}),
        ("fresnel_xml", {"n1": 1, "n2": 1.6, "angle": 30}),
        ("refractive_index_xml", {"glass_name": "Rear"}),
    ],
    [
        "The ghosts carry 0.149, which is 1.1 % of the light on Sensor (R2), in 37 ways.",
        "The strongest ghost has a power of 0.0282, about a fifth of all ghosts (0.149).",
        "Front has a focal length of 116.5 mm (R1) and n = 1.6, Rear n = 1.5.",
        "The critical angle of Front is 38.68°, that is 0.675 rad; that of Rear is 41.8°, 3.1° more.",
        "At 30°, 5.5 % of unpolarized light is reflected: 7.5 % of s and 3.5 % of p.",
        "The spot on Sensor has an RMS radius of 6.45 mm; with all light it is 6.83 mm.",
        "16.4 % escapes after Front, 170 times as much as after Rear.",
        "Only 0.1 % escapes after Rear. Sensor absorbs 83.5 %, i.e. 13.37 of 16.",
        "The beam leaves Front 3.08 cm wide (R1).",
        "There are 37 different ghost paths; the 34 groups that are not listed are weaker.",
        "Without the ghosts 13.22 would arrive. The two strongest carry 0.054 together, 36 % of all"
        " ghost light.",
    ],
    [
        ("The ghosts carry 0.194 of the light (R2).", "0.194"),
        ("The ghosts carry 0.149, which is 1.1 % of the light on Sensor, in 73 ways.", "73"),
        ("Without the ghosts 12.22 would arrive.", "12.22"),
        ("The ghosts carry 11 % of the light on Sensor.", "11"),
        ("The critical angle of Rear is 38.68°.", "38.68"),
        ("Front has a focal length of 116.5 µm (R1).", "116.5"),
        ("Front has a focal length of 161.5 mm (R1).", "161.5"),
        ("At 30°, 7.5 % of p and 3.5 % of s light is reflected; 5.9 % of unpolarized.", "5.9"),
        ("2.62 escapes after Front, 17 times as much as after Rear.", "17 times"),
        ("Middle Lens has an index of 1.5.", "Middle Lens"),
        ("The strongest ghost turns back at Rear:W and then at Front:S.", "Front:S"),
        ("Sensor absorbs 83.5 %, Rear another 2.62.", "2.62"),
        ("The spot on Sensor is 6.45 mm (R5).", "R5"),
        ("Rear has n = 1.6.", "1.6"),
        ("Sensor absorbs 83.5 %, i.e. 13.73 of 16.", "13.73"),
    ],
)
GRATING = Asked(
    "example:spectrometer",
    "Which beams leave Grating, and how far apart are the colours?",
    [
        ("beams_xml", {"object_name": "Grating"}),
        ("who_lights_what_xml", {"object_name": "Sensor"}),
        (
            "measure_xml",
            {"measures": "emitted(); power(Sensor); rms(Sensor); focal_length(Camera)"},
        ),
        ("query_rays_xml", {"sql": "SELECT depth, count(*) AS n FROM rays GROUP BY depth"}),
    ],
    [
        "Nine beams leave Grating (R1). In the first order blue light (450 nm) goes to -15.66°, green"
        " to -19.27° and red to -22.95°.",
        "Green (0.55 µm) and Red (650 nm) leave 3.7° apart, Blue and Red 7.3°.",
        "Sensor receives 9.6 of the emitted 51, 18.8 % (R2), one third of it from each colour.",
        "Each source sends 3.2 to Sensor; 16 rays of each arrive, 48 in all (R2).",
        "The grating has 600 lines per mm; Blue is deviated by 15.7°.",
        "3 beams arrive at Grating, each of power 16 and 28.4 mm wide.",
        "81 % of the emitted light does not reach Sensor.",
        "Order 1 takes 9.6 of the 16 of each colour, 60 %, and order 0 takes 3.2.",
        "Camera has a focal length of 199.4 mm. Collimator has another one.",
        "At a depth of 2 there are 144 rays, at a depth of 3 only 75.",
    ],
    [
        ("Eight beams leave Grating (R1).", "Eight"),
        ("In the first order Red goes to -19.27°.", "19.27"),
        ("Green and Red leave 4.7° apart.", "4.7"),
        ("Sensor receives 9.6 of the emitted 51, 16.8 % (R2).", "16.8"),
        ("Blue has a wavelength of 540 nm.", "540"),
        ("Violet (450 nm) is deviated by 15.7° from Lamp 2.", "Lamp 2"),
        ("The RMS radius on Sensor is 10.4 µm (R3).", "10.4"),
        ("Each source sends 3.2 to Sensor; 84 rays arrive in all (R2).", "84"),
        ("Sensor receives 9.6 (R4).", "R4"),
        ("In order -1 Blue goes to -15.66°.", "15.66"),
        ("Each source sends 3.2 to Sensor; 12 of 51 rays arrive.", "12"),
        ("Camera has a focal length of 199.4 mm, as Collimator has.", "Collimator"),
        ("The focal lengths of the two lenses are 199.4 mm and 199.4 mm.", "199.4"),
        ("At a depth of 3 there are 144 rays.", "144"),
        ("Light of Red, Green and Green arrives.", "Green"),
        ("It is made of N-SF5.", "N-SF5"),
    ],
)
GUIDE = Asked(
    "example:bent-guide",
    "Is all light kept in the guide? How many rays are there?",
    [
        ("tir_analysis_xml", {}),
        ("leaks_xml", {}),
        ("query_rays_xml", {"sql": "select count(*) from rays"}),
    ],
    [
        "15 rays are totally reflected in Guide (R1), at least 22.3° beyond the critical angle of"
        " 42.2°.",
        "All four rays leave at the end: 100 % of the emitted light passes the gap of 3.6 mm (R2).",
        "There are 31 rays, about half of which are totally reflected.",
        "The edge NE reflects 8 rays, more than half of the 15.",
    ],
    [
        ("51 rays are totally reflected in Guide (R1).", "51"),
        ("At least 22.3° beyond the critical angle of 44.2°.", "44.2"),
        ("The light passes the gap of 3.6 µm (R2).", "3.6"),
        ("There are 13 rays.", "13"),
        ("Mirror 2 reflects 8 rays.", "Mirror 2"),
        ("15 rays are totally reflected in Guide (R2).", "R2"),
    ],
)
MAGNIFIER = Asked(
    "example:magnifier",
    "Where does Ant appear?",
    [("image_xml", {"object_name": "Magnifier"}), ("focus_xml", {"object_name": "Magnifier"})],
    [
        "Ant appears 136 mm before Magnifier, upright and 2.27 times as large (R1); the image is"
        " virtual.",
        "The image is 13.6 cm in front of the lens; the object is 52 mm before it, so the image is"
        " 84 mm farther away.",
        "The nominal focal length is 102.7 mm; the spherical aberration is 17.0 mm.",
        "The magnification is about 2.3, and the RMS spot 0.31 mm (308 µm).",
    ],
    [
        ("Ant appears 163 mm before Magnifier (R1).", "163"),
        ("It is upright and 2.72 times as large (R1).", "2.72"),
        ("The nominal focal length is 102.7 cm.", "102.7"),
        ("Beetle appears 136 mm before Magnifier.", "Beetle"),
        ("The virtual image lies 52 mm before Magnifier.", "52"),
        ("The image is 13.6 cm in front of the lens, 94 mm farther away than the object.", "94"),
    ],
)
TROUGH = Asked(
    "example:solar-trough",
    "What if Pipe stands lower?",
    [
        (
            "what_if",
            {
                "changes": [{"move": "Pipe", "dx": 0, "dy": 8}],
                "measures": "power(Pipe); share(Pipe)",
            },
        ),
        ("sweep", {"axes": ["Pipe.y=-8..8:5"], "measures": "power(Pipe)"}),
    ],
    [
        "With Pipe 8 mm lower its power falls from 23 to 11, by 12 or 52 %.",
        "Pipe then gets 47.8 %. That is less than half: the other 52.2 % miss it.",
        "Between 4 and 8 mm it loses 12. From 8 to 4 mm it grows by a factor of 2.1.",
        "Of 23 units, 12 are lost: roughly one in two.",
    ],
    [
        ("The power of Pipe grows by 52 %.", "52"),
        ("The power of Pipe falls from 23 to 11, by 109 %.", "109"),
        ("The largest power of Pipe is 11.", "11"),
        ("With Pipe 8 mm lower its power is 23.", "23"),
        ("Of the light of Pipe fifteen rays are lost.", "fifteen"),
    ],
)
LENSES = Asked(
    "example:telescope",
    "Describe the telescope.",
    [
        (
            "measure_xml",
            {
                "measures": "nominal_focal_length(Objective); nominal_focal_length(Eyepiece);"
                " distance(Objective, Eyepiece)"
            },
        ),
        ("describe_scene_xml", {}),
    ],
    [
        "Objective has a focal length of 200 mm (5 dioptres) and Eyepiece 50 mm.\n\nThe distance is"
        " 230 mm, 20 mm short of 250 mm, which they are together.",
        "The lenses: 200 mm and 50 mm. Objective is 80 mm across, Eyepiece 60 mm.",
        "In centimetres the distance is 23. Eyepiece stands at x = 330 mm, 120 mm before Pupil.",
        "Pupil has no focal length. It stops 3 things.",
    ],
    [
        ("The focal lengths are 200 mm and 50 mm, so it magnifies three times.", "three times"),
        ("Objective has a focal length of 200 mm, i.e. 8 dioptres.", "8 dioptres"),
        ("Objective is 90 mm across.", "90"),
        ("Lens 3 does not get light.", "Lens 3"),
        ("The focal lengths are 200 mm and 50 mm, together 260 mm.", "260"),
    ],
)
DEVIATION = Asked(
    "example:minimum-deviation",
    "How far is Prism from minimum deviation, and what does it reflect?",
    [
        ("fresnel_xml", {"n1": 1, "n2": 1.5, "angle": 45}),
        ("measure_xml", {"measures": "deviation(Prism); minimum_deviation(Prism)"}),
        ("refractive_index_xml", {"glass_name": "Prism"}),
    ],
    [
        "Prism deviates the ray by 47.1°, 9.9° or about 27 % more than the minimum of 37.2°.",
        "At 45° 9.2 % of s light and 0.85 % of p light is reflected, a ratio of nearly 11.",
        "The Brewster angle is 56.3° from air and 33.7° from inside; they add up to 90°.",
    ],
    [
        ("Prism deviates the ray by 47.1°, 1.72 times the minimum of 37.2°.", "1.72"),
        ("At 45° p light is reflected by 9.2 %.", "9.2"),
        ("At 45° 9.2 % of unpolarized light is reflected.", "9.2"),
        ("The critical angle of Prism is 56.3°.", "56.3"),
        ("Prism deviates the ray by +47.1°.", "+47.1"),
    ],
)
COUPLING = Asked(
    "example:light-guide",
    "Which lens couples best, and where is light totally reflected?",
    [
        ("sweep", {"axes": ["Lens.focalLength=30..90:4"], "measures": "power(Exit); share(Exit)"}),
        ("tir_analysis_xml", {"glass_name": "Guide"}),
        (
            "what_if",
            {"changes": [{"move": "Guide", "dx": -30, "dy": 0}], "measures": "power(Exit)"},
        ),
        ("describe_scene_xml", {}),
    ],
    [
        "| f (mm) | Power | Share |\n|---|---|---|\n| 30 | 2.5 | 17.9 % |\n| 90 | 6.5 | 46.4 % |",
        "Going from 70 to 90 mm costs 7.5, more than half of the 14.",
        "N reflects 6 rays totally and S 5, which makes 11 in Guide (R1).",
        "With Guide 30 mm closer Exit gets 13.5 rather than 6.5, about twice as much.",
        "Guide is 220 mm long and 10 mm thick (22 times as long as thick).",
        "Exit stands 1 mm behind Guide and is 20 mm tall.",
    ],
    [
        ("With a focal length of 30 mm, Exit gets a power of 6.5.", "6.5"),
        (
            "With Guide 30 mm closer Exit gets 13.5 instead of 6.5, three times as much.",
            "three times",
        ),
        ("N totally reflects 5 rays, S 6.", "5"),
        ("46.4 % reaches Exit, so 63.6 % is lost.", "63.6"),
        ("The SE edge of Guide reflects nothing.", "SE edge"),
        ("Exit is 20 cm tall.", "20"),
    ],
)
DOUBLET = Asked(
    "example:achromat",
    "Where are the colours focused?",
    [
        ("focus_xml", {"object_name": "Flint"}),
        (
            "tolerance",
            {
                "vary": ["Crown.x±0.1", "Flint.x±0.1"],
                "measures": ["focus_x(Flint, Red)"],
                "samples": 9,
            },
        ),
        ("describe_scene_xml", {}),
    ],
    [
        "The red light focuses 146.29 mm behind Flint and the blue at 145.66 mm, 0.62 mm apart.",
        "Red and Blue focus 146.29 mm and 145.66 mm behind Flint, with 2.4 µm and 2.0 µm RMS.",
        "Crown (N-BK7) and Flint (F2) differ by 0.106 in index and touch over 36.4 mm.",
        "Shifting Crown by −0.1 mm moves the focus by −0.39 mm.",
    ],
    [
        ("Blue focuses 146.29 mm behind Flint.", "146.29"),
        ("Red and Blue focus 145.66 mm and 146.29 mm behind Flint.", "145.66"),
        ("Flint is made of SF5.", "SF5"),
        ("Shifting Flint by −0.1 mm moves the focus by −0.39 mm.", "−0.39"),
    ],
)
RAINBOW = Asked(
    "example:rainbow",
    "How do the colours reach Eye?",
    [
        (
            "query_rays_xml",
            {
                "sql": "SELECT id, source, wavelength, power, y2, direction FROM rays"
                " WHERE object='Eye' ORDER BY power DESC"
            },
        ),
        ("measure_xml", {"measures": "share(Eye); power(Eye)"}),
    ],
    [
        "Red meets Eye lowest, at y = 389.7 mm, then green at 384.1 mm and violet at 372.6 mm:"
        " 17.1 mm between the outer two.",
        "The 420 nm ray travels at 220.85°, the 540 nm ray at 221.84°, i.e. 0.99° steeper.",
        "Eye receives 2.73, which is 4.55 % of all that is emitted (about 60).",
    ],
    [
        ("The green ray meets Eye at y = 389.7 mm.", "389.7"),
        ("The 420 nm ray travels at 221.84°.", "221.84"),
        ("Red arrives at 389.7 mm and violet at 327.6 mm.", "327.6"),
    ],
)
ALL = (
    PRISM, TELESCOPE, CAMERA, GRATING, GUIDE, MAGNIFIER, TROUGH, LENSES, DEVIATION, COUPLING, DOUBLET,
    RAINBOW,
)  # fmt: skip
