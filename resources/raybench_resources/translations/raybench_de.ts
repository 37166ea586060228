<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>{name} is not attached: {reason}.</source>
        <translation>{name} ist nicht angehängt: {reason}.</translation>
    </message>
    <message>
        <source>{name} is not attached: it is no PNG, JPEG, WebP or GIF.</source>
        <translation>{name} ist nicht angehängt: Es ist kein PNG, JPEG, WebP oder GIF.</translation>
    </message>
    <message>
        <source>{name} is not attached: it has {width} × {height} pixels, more than {most} million. Make it smaller.</source>
        <translation>{name} ist nicht angehängt: Es hat {width} × {height} Pixel, mehr als {most} Millionen. Verkleinern Sie es.</translation>
    </message>
    <message>
        <source>The background picture {name}</source>
        <translation>Das Hintergrundbild {name}</translation>
    </message>
    <message>
        <source>{name} is not in the folder of the document. Copy it there.</source>
        <translation>{name} ist nicht im Ordner des Dokuments. Kopieren Sie es dorthin.</translation>
    </message>
    <message>
        <source>{name} cannot be read: it is not a PNG, JPEG, BMP, GIF or WebP. Replace it by one, or import a drawing.</source>
        <translation>{name} ist nicht lesbar: kein PNG, JPEG, BMP, GIF oder WebP. Ersetzen Sie es durch ein solches, oder importieren Sie eine Zeichnung.</translation>
    </message>
    <message>
        <source>{name} has {width} × {height} pixels, more than {most} million. Make it smaller.</source>
        <translation>{name} hat {width} × {height} Pixel, mehr als {most} Millionen. Verkleinern Sie es.</translation>
    </message>
    <message>
        <source>{name} cannot be read: {reason}. Replace it by a PNG or JPEG picture.</source>
        <translation>{name} ist nicht lesbar: {reason}. Ersetzen Sie es durch ein PNG- oder JPEG-Bild.</translation>
    </message>
    <message>
        <source>Reading the background picture</source>
        <translation>Das Lesen des Hintergrundbilds</translation>
    </message>
    <message>
        <source>Pictures (*.png *.jpg *.jpeg *.bmp *.gif *.webp)</source>
        <translation>Bilder (*.png *.jpg *.jpeg *.bmp *.gif *.webp)</translation>
    </message>
    <message>
        <source>A picture of another folder is copied beside the document.</source>
        <translation>Ein Bild aus einem anderen Ordner wird neben das Dokument kopiert.</translation>
    </message>
    <message>
        <source>Background picture</source>
        <translation>Hintergrundbild</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>Oben</translation>
    </message>
    <message>
        <source>Scale ({unit} per pixel)</source>
        <translation>Maßstab ({unit} je Pixel)</translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation>Deckkraft</translation>
    </message>
    <message>
        <source>No picture</source>
        <translation>Kein Bild</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>True distance of the two points, such as 25 mm:</source>
        <translation>Wahrer Abstand der beiden Punkte, etwa 25 mm:</translation>
    </message>
    <message>
        <source>Scale the picture</source>
        <translation>Bild skalieren</translation>
    </message>
    <message>
        <source>Document: no background</source>
        <translation>Dokument: kein Hintergrund</translation>
    </message>
    <message>
        <source>Shown: {description}</source>
        <translation>Gezeigt: {description}</translation>
    </message>
    <message>
        <source>{words}
Click to show all rays.</source>
        <translation>{words}
Klicken zeigt alle Strahlen.</translation>
    </message>
    <message>
        <source>{words}. Show all rays</source>
        <translation>{words}. Alle Strahlen zeigen</translation>
    </message>
    <message>
        <source>Hidden objects still act on light. Click to show them.</source>
        <translation>Ausgeblendete Objekte wirken weiter auf Licht. Klicken zeigt sie.</translation>
    </message>
    <message>
        <source>{count} hidden   ×</source>
        <translation>{count} ausgeblendet   ×</translation>
    </message>
    <message>
        <source>{count} hidden. Show what is hidden</source>
        <translation>{count} ausgeblendet. Ausgeblendetes zeigen</translation>
    </message>
    <message>
        <source>Tracing: {progress}</source>
        <translation>Strahlverfolgung: {progress}</translation>
    </message>
    <message>
        <source>Tracing</source>
        <translation>Strahlverfolgung</translation>
    </message>
    <message>
        <source>{words}   Esc stops   ×</source>
        <translation>{words}   Esc hält an   ×</translation>
    </message>
    <message>
        <source>{words}. Stop</source>
        <translation>{words}. Anhalten</translation>
    </message>
    <message>
        <source>{count} of the {least} points that it needs</source>
        <translation>{count} der {least} nötigen Punkte</translation>
    </message>
    <message>
        <source>No {noun} was made: only {few} were clicked.</source>
        <translation>{noun} wurde nicht erstellt: Nur {few} wurden geklickt.</translation>
    </message>
    <message>
        <source> or more</source>
        <translation> oder mehr</translation>
    </message>
    <message>
        <source>A {noun} needs {least} points{more}. Click some more.</source>
        <translation>{noun}: braucht {least} Punkte{more}. Klicken Sie weitere.</translation>
    </message>
    <message>
        <source>New {noun}</source>
        <translation>{noun} neu</translation>
    </message>
    <message>
        <source>{new}: click its points, or type where they are. Esc leaves the tool.</source>
        <translation>{new}: Klicken Sie die Punkte, oder tippen Sie, wo sie sind. Esc verlässt das Werkzeug.</translation>
    </message>
    <message>
        <source>{new}: click its point {points} of {count}. Esc takes the last point back.</source>
        <translation>{new}: Klicken Sie Punkt {points} von {count}. Esc nimmt den letzten Punkt zurück.</translation>
    </message>
    <message>
        <source>click the first point or press Enter to finish</source>
        <translation>klicken Sie den ersten Punkt oder drücken Sie die Eingabetaste</translation>
    </message>
    <message>
        <source>click its points</source>
        <translation>klicken Sie seine Punkte</translation>
    </message>
    <message>
        <source>{new}: {more}. Esc takes the last point back.</source>
        <translation>{new}: {more}. Esc nimmt den letzten Punkt zurück.</translation>
    </message>
    <message>
        <source>{new}: click or type its place, or drag to turn it. Its data are on the left. Esc leaves the tool.</source>
        <translation>{new}: Klicken oder tippen Sie den Ort, oder ziehen Sie, um zu drehen. Die Daten stehen links. Esc verlässt das Werkzeug.</translation>
    </message>
    <message>
        <source>{new}: click or type its place. Esc leaves the tool.</source>
        <translation>{new}: Klicken oder tippen Sie den Ort. Esc verlässt das Werkzeug.</translation>
    </message>
    <message>
        <source>{new}: click its other end, or type a length and an angle. Shift: 45°, Ctrl: symmetric, Esc: back.</source>
        <translation>{new}: Klicken Sie das andere Ende, oder tippen Sie Länge und Winkel. Umschalt: 45°, Strg: symmetrisch, Esc: zurück.</translation>
    </message>
    <message>
        <source>{new}: drag it out, click its ends, or type where the first is. Esc leaves the tool.</source>
        <translation>{new}: Ziehen Sie es auf, klicken Sie die Enden, oder tippen Sie, wo das erste ist. Esc verlässt das Werkzeug.</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>Pfeiltasten</translation>
    </message>
    <message>
        <source>Move the selection by one unit, or one step of the grid</source>
        <translation>Die Auswahl um eine Einheit oder einen Rasterschritt verschieben</translation>
    </message>
    <message>
        <source>Shift+Arrow keys</source>
        <translation>Umschalt+Pfeiltasten</translation>
    </message>
    <message>
        <source>Alt+Arrow keys</source>
        <translation>Alt+Pfeiltasten</translation>
    </message>
    <message>
        <source>Move it by {factor:g} of them</source>
        <translation>Um {factor:g} davon verschieben</translation>
    </message>
    <message>
        <source>Move it by {factor:g} of one</source>
        <translation>Um {factor:g} eines Schrittes verschieben</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>Ausschnitt verschieben</translation>
    </message>
    <message>
        <source>Cancel a drag; stop a long trace; take back a point, then leave the tool; else select nothing; else remove the highlight</source>
        <translation>Ein Ziehen abbrechen; eine lange Berechnung anhalten; einen Punkt zurücknehmen, dann das Werkzeug verlassen; sonst nichts auswählen; sonst die Hervorhebung entfernen</translation>
    </message>
    <message>
        <source>Backspace, Ctrl+Z</source>
        <translation>Rücktaste, Strg+Z</translation>
    </message>
    <message>
        <source>While an object is drawn, or measured: take back the last point</source>
        <translation>Während ein Objekt gezeichnet oder gemessen wird: den letzten Punkt zurücknehmen</translation>
    </message>
    <message>
        <source>Finish an outline; with a tool, place an object in the middle</source>
        <translation>Einen Umriss abschließen; mit einem Werkzeug ein Objekt in die Mitte setzen</translation>
    </message>
    <message>
        <source>With a tool: type the place of the first point, then the length and the angle to the next; 100 50 gives both</source>
        <translation>Mit einem Werkzeug: den Ort des ersten Punkts tippen, dann Länge und Winkel zum nächsten; 100 50 gibt beide</translation>
    </message>
    <message>
        <source>After a click on a ray or a measurement: take the next of several rays there</source>
        <translation>Nach einem Klick auf einen Strahl oder eine Messung: den nächsten von mehreren Strahlen dort nehmen</translation>
    </message>
    <message>
        <source>Double click</source>
        <translation>Doppelklick</translation>
    </message>
    <message>
        <source>On a handle: type its coordinates, length, angle or radius</source>
        <translation>Auf einem Griff: seine Koordinaten, Länge, Winkel oder Radius tippen</translation>
    </message>
    <message>
        <source>Draw, move or turn in steps: 0°, 45°, 90° and the original direction</source>
        <translation>In Schritten zeichnen, verschieben oder drehen: 0°, 45°, 90° und die ursprüngliche Richtung</translation>
    </message>
    <message>
        <source>Move a copy; with a tool, draw symmetrically about the start</source>
        <translation>Eine Kopie verschieben; mit einem Werkzeug symmetrisch um den Anfang zeichnen</translation>
    </message>
    <message>
        <source>Do not snap</source>
        <translation>Nicht einrasten</translation>
    </message>
    <message>
        <source>Space, Left, Right, Home, End</source>
        <translation>Leertaste, Links, Rechts, Pos1, Ende</translation>
    </message>
    <message>
        <source>While a study is played: play or pause, a step back or forward, to the first or last row</source>
        <translation>Während eine Studie abgespielt wird: abspielen oder anhalten, einen Schritt zurück oder vor, zur ersten oder letzten Zeile</translation>
    </message>
    <message>
        <source>The selection is locked and cannot be moved. Unlock it in its properties to move it.</source>
        <translation>Die Auswahl ist gesperrt und kann nicht verschoben werden. Entsperren Sie sie in den Eigenschaften.</translation>
    </message>
    <message>
        <source>{title} is no longer in the scene.</source>
        <translation>{title} ist nicht mehr in der Szene.</translation>
    </message>
    <message>
        <source>point {id}</source>
        <translation>Punkt {id}</translation>
    </message>
    <message>
        <source>Centre of rotation</source>
        <translation>Drehpunkt</translation>
    </message>
    <message>
        <source>first point</source>
        <translation>erster Punkt</translation>
    </message>
    <message>
        <source>next point</source>
        <translation>nächster Punkt</translation>
    </message>
    <message>
        <source>The fit to the light</source>
        <translation>Das Einpassen des Lichts</translation>
    </message>
    <message>
        <source>Open a scene with Ctrl+O, drop a file here, or take a part from the library</source>
        <translation>Öffnen Sie eine Szene mit Strg+O, ziehen Sie eine Datei hierher, oder nehmen Sie ein Teil aus der Bibliothek</translation>
    </message>
    <message>
        <source>Ray {place} of {count} here. Tab shows the next.</source>
        <translation>Strahl {place} von {count} hier. Tab zeigt den nächsten.</translation>
    </message>
    <message>
        <source>The full picture of the rays</source>
        <translation>Das volle Bild der Strahlen</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>und {count} weitere</translation>
    </message>
    <message>
        <source>The picture of the rays</source>
        <translation>Das Bild der Strahlen</translation>
    </message>
    <message>
        <source>The picture of the highlighted rays</source>
        <translation>Das Bild der hervorgehobenen Strahlen</translation>
    </message>
    <message>
        <source>… {count} more letters. Export the conversation to read them.</source>
        <translation>… {count} weitere Buchstaben. Exportieren Sie das Gespräch, um sie zu lesen.</translation>
    </message>
    <message>
        <source>Pasted picture</source>
        <translation>Eingefügtes Bild</translation>
    </message>
    <message>
        <source>Only a model looks at pictures. Connect one first.</source>
        <translation>Nur ein Modell sieht Bilder an. Verbinden Sie zuerst eines.</translation>
    </message>
    <message>
        <source>A message takes at most {most} pictures.</source>
        <translation>Eine Nachricht nimmt höchstens {most} Bilder auf.</translation>
    </message>
    <message>
        <source>Picture: {name}</source>
        <translation>Bild: {name}</translation>
    </message>
    <message>
        <source>Reading the picture</source>
        <translation>Das Lesen des Bildes</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
    <message>
        <source>Remove this picture from the message</source>
        <translation>Dieses Bild aus der Nachricht entfernen</translation>
    </message>
    <message>
        <source>Click to see it on the canvas, click again to zoom to it</source>
        <translation>Klicken zeigt es auf der Zeichenfläche, erneutes Klicken zeigt es groß</translation>
    </message>
    <message>
        <source>Highlight {name}: {question}</source>
        <translation>{name} hervorheben: {question}</translation>
    </message>
    <message>
        <source>Click to highlight them, double click (Z) to zoom to them.</source>
        <translation>Klicken hebt sie hervor, Doppelklick (Z) zeigt sie groß.</translation>
    </message>
    <message>
        <source>The scene has changed since: ask again, or undo.</source>
        <translation>Die Szene hat sich seitdem geändert: Fragen Sie neu, oder machen Sie rückgängig.</translation>
    </message>
    <message>
        <source>Read only</source>
        <translation>Nur lesen</translation>
    </message>
    <message>
        <source>Ask first</source>
        <translation>Erst fragen</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Ask, or type / for a command</source>
        <translation>Fragen, oder / für einen Befehl</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Take it back into the field; it is not sent</source>
        <translation>Ins Feld zurücknehmen; es wird nicht gesendet</translation>
    </message>
    <message>
        <source>Completions</source>
        <translation>Vervollständigungen</translation>
    </message>
    <message>
        <source>Picture…</source>
        <translation>Bild…</translation>
    </message>
    <message>
        <source>Attach pictures, which can also be dropped or pasted</source>
        <translation>Bilder anhängen, die auch hineingezogen oder eingefügt werden können</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>What the agent may do</source>
        <translation>Was der Agent darf</translation>
    </message>
    <message>
        <source>End this turn (Esc)</source>
        <translation>Diesen Zug beenden (Esc)</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>Senden (Eingabetaste)</translation>
    </message>
    <message>
        <source>Pictures ({names})</source>
        <translation>Bilder ({names})</translation>
    </message>
    <message>
        <source>Attach pictures</source>
        <translation>Bilder anhängen</translation>
    </message>
    <message>
        <source> (and {count} more)</source>
        <translation> (und {count} weitere)</translation>
    </message>
    <message>
        <source>Next{more}: {queue}</source>
        <translation>Als Nächstes{more}: {queue}</translation>
    </message>
    <message>
        <source>Message to the agent</source>
        <translation>Nachricht an den Agenten</translation>
    </message>
    <message>
        <source>Tool use</source>
        <translation>Werkzeugaufrufe</translation>
    </message>
    <message>
        <source>As text</source>
        <translation>Als Text</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Begin a new conversation</source>
        <translation>Ein neues Gespräch beginnen</translation>
    </message>
    <message>
        <source>Another address</source>
        <translation>Eine andere Adresse</translation>
    </message>
    <message>
        <source>its name there</source>
        <translation>sein Name dort</translation>
    </message>
    <message>
        <source>https://{host}</source>
        <translation>https://{host}</translation>
    </message>
    <message>
        <source>Any server with the Messages API or chat completions, for example http://localhost:11434/v1</source>
        <translation>Ein Server mit der Messages API oder mit Chat Completions, etwa http://localhost:11434/v1</translation>
    </message>
    <message>
        <source>How the model calls tools: by its own tool use or, for models without, written as text in its replies</source>
        <translation>Wie das Modell Werkzeuge aufruft: durch seine eigenen Werkzeugaufrufe oder, bei Modellen ohne, als Text in seinen Antworten</translation>
    </message>
    <message>
        <source>Kept in memory until the program ends, or in the system&apos;s keyring; never written to a file.</source>
        <translation>Im Speicher behalten, bis das Programm endet, oder im Schlüsselbund des Systems; nie in eine Datei geschrieben.</translation>
    </message>
    <message>
        <source>Keep the key in the system&apos;s keyring</source>
        <translation>Den Schlüssel im Schlüsselbund des Systems behalten</translation>
    </message>
    <message>
        <source>The most replies of the model to one question, each with its calls; the last one answers</source>
        <translation>Die meisten Antworten des Modells auf eine Frage, jede mit ihren Aufrufen; die letzte antwortet</translation>
    </message>
    <message>
        <source>Search the web</source>
        <translation>Im Web suchen</translation>
    </message>
    <message>
        <source>Let Anthropic&apos;s models search the web themselves. What they search for leaves this computer.</source>
        <translation>Anthropics Modelle selbst im Web suchen lassen. Wonach sie suchen, verlässt diesen Rechner.</translation>
    </message>
    <message>
        <source>Test and connect</source>
        <translation>Prüfen und verbinden</translation>
    </message>
    <message>
        <source>Go offline</source>
        <translation>Offline gehen</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Connect a model</source>
        <translation>Modell verbinden</translation>
    </message>
    <message>
        <source>{name} at {host}{value}</source>
        <translation>{name} bei {host}{value}</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>Offline</translation>
    </message>
    <message>
        <source>{host} lists {models}.</source>
        <translation>{host} bietet {models}.</translation>
    </message>
    <message>
        <source>Listing the models</source>
        <translation>Das Auflisten der Modelle</translation>
    </message>
    <message>
        <source>Asking {host} for its models …</source>
        <translation>{host} wird nach seinen Modellen gefragt …</translation>
    </message>
    <message>
        <source>A server on this computer needs no key.</source>
        <translation>Ein Server auf diesem Rechner braucht keinen Schlüssel.</translation>
    </message>
    <message>
        <source>Without one here, the key is that of {variable}.</source>
        <translation>Ohne einen hier gilt der Schlüssel von {variable}.</translation>
    </message>
    <message>
        <source>Without one here, the key is the one in the system&apos;s keyring. Without the tick it is removed there.</source>
        <translation>Ohne einen hier gilt der im Schlüsselbund des Systems. Ohne das Häkchen wird er dort entfernt.</translation>
    </message>
    <message>
        <source>Kept until the program ends, in memory only, unless it goes into the keyring.</source>
        <translation>Bis zum Programmende behalten, nur im Speicher, sofern er nicht in den Schlüsselbund kommt.</translation>
    </message>
    <message>
        <source>Kept until the program ends, in memory only.</source>
        <translation>Bis zum Programmende behalten, nur im Speicher.</translation>
    </message>
    <message>
        <source> To keep it, set {variable} before the program starts.</source>
        <translation> Um ihn zu behalten, setzen Sie {variable}, bevor das Programm startet.</translation>
    </message>
    <message>
        <source>Asking the system&apos;s keyring</source>
        <translation>Die Abfrage des System-Schlüsselbunds</translation>
    </message>
    <message>
        <source>The system&apos;s keyring</source>
        <translation>Der Schlüsselbund des Systems</translation>
    </message>
    <message>
        <source>Testing …</source>
        <translation>Prüft …</translation>
    </message>
    <message>
        <source>{title} is selected</source>
        <translation>{title} ist ausgewählt</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>{count} weitere</translation>
    </message>
    <message>
        <source>{count} more objects are selected</source>
        <translation>{count} weitere Objekte sind ausgewählt</translation>
    </message>
    <message>
        <source>{count} characters</source>
        <translation>{count} Zeichen</translation>
    </message>
    <message>
        <source>, the first of {count}</source>
        <translation>, die ersten von {count}</translation>
    </message>
    <message>
        <source>the notes of {path} ({size}{value})</source>
        <translation>die Notizen von {path} ({size}{value})</translation>
    </message>
    <message>
        <source>the notes of {path} cannot be read ({unread})</source>
        <translation>die Notizen von {path} sind nicht lesbar ({unread})</translation>
    </message>
    <message>
        <source>Leave out: {about}</source>
        <translation>Auslassen: {about}</translation>
    </message>
    <message>
        <source>The model is told: {about}. Click to leave it out.</source>
        <translation>Dem Modell wird mitgeteilt: {about}. Klicken lässt es aus.</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Python script (*.py)</source>
        <translation>Python-Skript (*.py)</translation>
    </message>
    <message>
        <source>Save the conversation as</source>
        <translation>Gespräch speichern unter</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy as Python</source>
        <translation>Als Python kopieren</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Reading the conversations</source>
        <translation>Das Lesen der Gespräche</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Frühere</translation>
    </message>
    <message>
        <source>Open an earlier conversation about this scene</source>
        <translation>Ein früheres Gespräch über diese Szene öffnen</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>Copy or save this conversation</source>
        <translation>Dieses Gespräch kopieren oder speichern</translation>
    </message>
    <message>
        <source>Reading {title}…</source>
        <translation>{title} wird gelesen…</translation>
    </message>
    <message>
        <source>{value}, connected over MCP:</source>
        <translation>{value}, über MCP verbunden:</translation>
    </message>
    <message>
        <source>Answering… Esc stops</source>
        <translation>Antwortet… Esc bricht ab</translation>
    </message>
    <message>
        <source>Waits for your answer</source>
        <translation>Wartet auf Ihre Antwort</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Reading the notes of the project</source>
        <translation>Das Lesen der Notizen des Projekts</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>The tools of the project {name} are available: type / to see them.</source>
        <translation>Die Werkzeuge des Projekts {name} sind verfügbar: Tippen Sie /, um sie zu sehen.</translation>
    </message>
    <message>
        <source> ({count} from the cache)</source>
        <translation> ({count} aus dem Zwischenspeicher)</translation>
    </message>
    <message>
        <source>{count} tokens{of_cache} · {price}</source>
        <translation>{count} Token{of_cache} · {price}</translation>
    </message>
    <message>
        <source>Enter sends</source>
        <translation>Eingabetaste sendet</translation>
    </message>
    <message>
        <source>Ask about the light in this scene. The rays an answer is about light up on the canvas.</source>
        <translation>Fragen Sie nach dem Licht in dieser Szene, ohne Modell auf Englisch. Die Strahlen, von denen eine Antwort handelt, leuchten auf der Zeichenfläche auf.</translation>
    </message>
    <message>
        <source>Open a scene, and ask about its light here.</source>
        <translation>Öffnen Sie eine Szene, und fragen Sie hier nach ihrem Licht, ohne Modell auf Englisch.</translation>
    </message>
    <message>
        <source>Search the commands</source>
        <translation>Befehle durchsuchen</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>No command has these words.</source>
        <translation>Kein Befehl enthält diese Wörter.</translation>
    </message>
    <message>
        <source>Show earlier questions ({questions})</source>
        <translation>Frühere Fragen zeigen ({questions})</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Go on with this question. What was found and changed so far stays</source>
        <translation>Diese Frage fortsetzen. Was bisher gefunden und geändert wurde, bleibt</translation>
    </message>
    <message>
        <source>Compared with {name}</source>
        <translation>Verglichen mit {name}</translation>
    </message>
    <message>
        <source>{count} differences</source>
        <translation>{count} Unterschiede</translation>
    </message>
    <message>
        <source>1 difference</source>
        <translation>1 Unterschied</translation>
    </message>
    <message>
        <source>, of which the first {most} are listed</source>
        <translation>, von denen die ersten {most} aufgeführt sind</translation>
    </message>
    <message>
        <source>{count} from {name}{more}. Objects are the same where name and kind are.</source>
        <translation>{count} gegenüber {name}{more}. Objekte sind gleich, wo Name und Art es sind.</translation>
    </message>
    <message>
        <source>This scene is equal to {name}.</source>
        <translation>Diese Szene ist gleich {name}.</translation>
    </message>
    <message>
        <source>Object</source>
        <translation>Objekt</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>Hier</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>gelöscht</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <source>Compare with a scene</source>
        <translation>Mit einer Szene vergleichen</translation>
    </message>
    <message>
        <source>No other scene is open</source>
        <translation>Keine andere Szene ist offen</translation>
    </message>
    <message>
        <source>Comparing with {name}</source>
        <translation>Der Vergleich mit {name}</translation>
    </message>
    <message>
        <source>Not everything is as in the file:</source>
        <translation>Nicht alles ist wie in der Datei:</translation>
    </message>
    <message>
        <source>… and {more} more.</source>
        <translation>… und {more} weitere.</translation>
    </message>
    <message>
        <source>Label of edge {short}</source>
        <translation>Name der Kante {short}</translation>
    </message>
    <message>
        <source>Label edges</source>
        <translation>Kanten benennen</translation>
    </message>
    <message>
        <source>Labels of your own for the edges of {name}, such as Entrance:</source>
        <translation>Eigene Namen für die Kanten von {name}, etwa Eintritt:</translation>
    </message>
    <message>
        <source>{name} already exists in {value}. Replace it?</source>
        <translation>{name} gibt es schon in {value}. Ersetzen?</translation>
    </message>
    <message>
        <source>The selection is locked. Unlock it in its properties to {verb} it.</source>
        <translation>Die Auswahl ist gesperrt. Entsperren Sie sie in den Eigenschaften: {verb}.</translation>
    </message>
    <message>
        <source>{objects} {done}</source>
        <translation>{objects} {done}</translation>
    </message>
    <message>
        <source>aligned: {name}</source>
        <translation>ausgerichtet: {name}</translation>
    </message>
    <message>
        <source>distributed horizontally</source>
        <translation>waagerecht verteilt</translation>
    </message>
    <message>
        <source>distributed vertically</source>
        <translation>senkrecht verteilt</translation>
    </message>
    <message>
        <source>Angle, counter-clockwise as seen, such as 7 or 0.1 rad:</source>
        <translation>Winkel, gegen den Uhrzeigersinn gesehen, etwa 7 oder 0,1 rad:</translation>
    </message>
    <message>
        <source>Rotate</source>
        <translation>Drehen</translation>
    </message>
    <message>
        <source>Factor, such as 2 or 1/3:</source>
        <translation>Faktor, etwa 2 oder 1/3:</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Skalieren</translation>
    </message>
    <message>
        <source>There is a group {name} already. Give another name.</source>
        <translation>Es gibt schon eine Gruppe {name}. Geben Sie einen anderen Namen an.</translation>
    </message>
    <message>
        <source>{name} renamed to {other}</source>
        <translation>{name} in {other} umbenannt</translation>
    </message>
    <message>
        <source>Rename group</source>
        <translation>Gruppe umbenennen</translation>
    </message>
    <message>
        <source>Name of the group</source>
        <translation>Name der Gruppe</translation>
    </message>
    <message>
        <source>brought to front</source>
        <translation>ganz nach vorn gebracht</translation>
    </message>
    <message>
        <source>brought forward</source>
        <translation>nach vorn gebracht</translation>
    </message>
    <message>
        <source>sent to back</source>
        <translation>ganz nach hinten gebracht</translation>
    </message>
    <message>
        <source>sent backward</source>
        <translation>nach hinten gebracht</translation>
    </message>
    <message>
        <source>The scene is still being traced. Choose it again when it is complete.</source>
        <translation>Die Szene wird noch berechnet. Wählen Sie es wieder, wenn sie vollständig ist.</translation>
    </message>
    <message>
        <source>{name} is locked. Unlock it in its properties to move it.</source>
        <translation>{name} ist gesperrt. Entsperren Sie es in den Eigenschaften, um es zu verschieben.</translation>
    </message>
    <message>
        <source>moved to the best focus</source>
        <translation>in den besten Fokus verschoben</translation>
    </message>
    <message>
        <source>Moving to the best focus</source>
        <translation>Das Verschieben in den besten Fokus</translation>
    </message>
    <message>
        <source>PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf);;Rays as CSV (*.csv);;Rays as npz (*.npz);;Rays as XML (*.xml)</source>
        <translation>PNG-Bild (*.png);;SVG-Zeichnung (*.svg);;PDF-Seite (*.pdf);;Strahlen als CSV (*.csv);;Strahlen als npz (*.npz);;Strahlen als XML (*.xml)</translation>
    </message>
    <message>
        <source>Largest round scale</source>
        <translation>Größter runder Maßstab</translation>
    </message>
    <message>
        <source>Largest that fits</source>
        <translation>Größter passender</translation>
    </message>
    <message>
        <source>Export figure</source>
        <translation>Abbildung exportieren</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Area</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Unit of the width</source>
        <translation>Einheit der Breite</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Scale</source>
        <comment>drawing</comment>
        <translation>Maßstab</translation>
    </message>
    <message>
        <source>Scale</source>
        <comment>pixels</comment>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>Scale of the drawing</source>
        <translation>Maßstab der Zeichnung</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>Rand</translation>
    </message>
    <message>
        <source>Error of the light</source>
        <translation>Fehler des Lichts</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>Autor</translation>
    </message>
    <message>
        <source>Caption</source>
        <translation>Bildunterschrift</translation>
    </message>
    <message>
        <source>None, the figure alone</source>
        <translation>Nur die Abbildung</translation>
    </message>
    <message>
        <source>Visible part</source>
        <translation>Sichtbarer Teil</translation>
    </message>
    <message>
        <source>Whole scene</source>
        <translation>Ganze Szene</translation>
    </message>
    <message>
        <source>px: of the picture. mm: on paper, where a text of the canvas is about as large as on the screen.</source>
        <translation>px: des Bildes. mm: auf Papier, wo ein Text der Zeichenfläche etwa so groß ist wie auf dem Bildschirm.</translation>
    </message>
    <message>
        <source>Pixels per logical pixel: scales line widths and text sizes.</source>
        <translation>Pixel je logischem Pixel: skaliert Linienbreiten und Schriftgrößen.</translation>
    </message>
    <message>
        <source>The scale on paper, such as 1:2.</source>
        <translation>Der Maßstab auf Papier, etwa 1:2.</translation>
    </message>
    <message>
        <source>More rays are traced until the brightness of a PNG picture has at most this error; 0 leaves it as it is.</source>
        <translation>Es werden weitere Strahlen verfolgt, bis die Helligkeit eines PNG-Bildes höchstens diesen Fehler hat; 0 lässt es, wie es ist.</translation>
    </message>
    <message>
        <source>Transparent background</source>
        <translation>Durchsichtiger Hintergrund</translation>
    </message>
    <message>
        <source>Scale bar</source>
        <translation>Maßstabsbalken</translation>
    </message>
    <message>
        <source>Drawing scale</source>
        <translation>Zeichnungsmaßstab</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>The preview</source>
        <translation>Die Vorschau</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>{width} × {height} pixels, {across:.0f} × {down:.0f} mm on paper</source>
        <translation>{width} × {height} Pixel, {across:.0f} × {down:.0f} mm auf Papier</translation>
    </message>
    <message>
        <source>Scale {scale}: larger than the page, so it is cut off.</source>
        <translation>Maßstab {scale}: größer als die Seite, daher abgeschnitten.</translation>
    </message>
    <message>
        <source>Scale {scale}</source>
        <translation>Maßstab {scale}</translation>
    </message>
    <message>
        <source>Writing {name}</source>
        <translation>{name} wird geschrieben</translation>
    </message>
    <message>
        <source>GIF animation (*.gif);;MP4 video (*.mp4);;PNG frames (*.png)</source>
        <translation>GIF-Animation (*.gif);;MP4-Video (*.mp4);;PNG-Einzelbilder (*.png)</translation>
    </message>
    <message>
        <source>MP4 needs the program ffmpeg, which is not found.</source>
        <translation>MP4 braucht das Programm ffmpeg, das nicht gefunden wird.</translation>
    </message>
    <message>
        <source>Write film</source>
        <translation>Film schreiben</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>With the curve</source>
        <translation>Mit der Kurve</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Write…</source>
        <translation>Schreiben…</translation>
    </message>
    <message>
        <source>{name} written</source>
        <translation>{name} geschrieben</translation>
    </message>
    <message>
        <source>{first} to {last} written</source>
        <translation>{first} bis {last} geschrieben</translation>
    </message>
    <message>
        <source>Zemax lens (*.zmx);;CODE V lens (*.seq);;OSLO lens (*.len)</source>
        <translation>Zemax-Linse (*.zmx);;CODE-V-Linse (*.seq);;OSLO-Linse (*.len)</translation>
    </message>
    <message>
        <source>There are several lens systems. Select one first.</source>
        <translation>Es gibt mehrere Linsensysteme. Wählen Sie zuerst eines aus.</translation>
    </message>
    <message>
        <source>Export {name}</source>
        <translation>{name} exportieren</translation>
    </message>
    <message>
        <source>{name} was written</source>
        <translation>{name} wurde geschrieben</translation>
    </message>
    <message>
        <source>The file leaves out:</source>
        <translation>Die Datei lässt weg:</translation>
    </message>
    <message>
        <source>{path}: the picture cannot be written in this format. Give a path that ends in .png.</source>
        <translation>{path}: Das Bild kann in diesem Format nicht geschrieben werden. Geben Sie einen Pfad an, der auf .png endet.</translation>
    </message>
    <message>
        <source>Copying the picture</source>
        <translation>Das Kopieren des Bildes</translation>
    </message>
    <message>
        <source>Scene</source>
        <translation>Szene</translation>
    </message>
    <message>
        <source>Preparing the page</source>
        <translation>Das Vorbereiten der Seite</translation>
    </message>
    <message>
        <source>Scenes (*.json *.raybench *.txt *.link);;Lenses (*.zmx *.seq *.len);;Plain scenes (*.json);;Raybench documents (*.raybench);;Links and texts (*.txt *.link);;All files (*)</source>
        <translation>Szenen (*.json *.raybench *.txt *.link);;Linsen (*.zmx *.seq *.len);;Einfache Szenen (*.json);;Raybench-Dokumente (*.raybench);;Links und Texte (*.txt *.link);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open a scene</source>
        <translation>Szene öffnen</translation>
    </message>
    <message>
        <source>Reading {name}…</source>
        <translation>{name} wird gelesen…</translation>
    </message>
    <message>
        <source>A link to a scene, or a scene as JSON:</source>
        <translation>Ein Link zu einer Szene oder eine Szene als JSON:</translation>
    </message>
    <message>
        <source>Open link</source>
        <translation>Link öffnen</translation>
    </message>
    <message>
        <source>This text cannot be opened: {error}</source>
        <translation>Dieser Text kann nicht geöffnet werden: {error}</translation>
    </message>
    <message>
        <source>{name} was opened</source>
        <translation>{name} wurde geöffnet</translation>
    </message>
    <message>
        <source>Link copied.</source>
        <translation>Link kopiert.</translation>
    </message>
    <message>
        <source>Link copied</source>
        <translation>Link kopiert</translation>
    </message>
    <message>
        <source>A link holds a plain scene:</source>
        <translation>Ein Link enthält eine einfache Szene:</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>Noch nichts</translation>
    </message>
    <message>
        <source>{out}: a film is not written as &apos;{value}&apos;. Let the name end in {names}.</source>
        <translation>{out}: Ein Film wird nicht als „{value}“ geschrieben. Lassen Sie den Namen auf {names} enden.</translation>
    </message>
    <message>
        <source>{out}: MP4 is made by the program ffmpeg, which is not found. Install it, or let the name end in .gif or .png.</source>
        <translation>{out}: MP4 macht das Programm ffmpeg, das nicht gefunden wird. Installieren Sie es, oder lassen Sie den Namen auf .gif oder .png enden.</translation>
    </message>
    <message>
        <source>No row can be shown. {refused}</source>
        <translation>Keine Zeile kann gezeigt werden. {refused}</translation>
    </message>
    <message>
        <source>row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>ffmpeg made no film: {value}</source>
        <translation>ffmpeg hat keinen Film erzeugt: {value}</translation>
    </message>
    <message>
        <source>Formula, rendered</source>
        <translation>Formel, gesetzt</translation>
    </message>
    <message>
        <source>Find an action</source>
        <translation>Aktion suchen</translation>
    </message>
    <message>
        <source>Action to find</source>
        <translation>Gesuchte Aktion</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>Was möchten Sie tun?</translation>
    </message>
    <message>
        <source>No action matches. Try another word, or ask in the chat.</source>
        <translation>Keine Aktion passt. Versuchen Sie ein anderes Wort, oder fragen Sie im Chat.</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>Alle Tasten</translation>
    </message>
    <message>
        <source>Guides</source>
        <translation>Anleitungen</translation>
    </message>
    <message>
        <source>Search the guides</source>
        <translation>Anleitungen durchsuchen</translation>
    </message>
    <message>
        <source>Sections of the guides</source>
        <translation>Abschnitte der Anleitungen</translation>
    </message>
    <message>
        <source>Section</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>Nothing in the guides matches. Try another word, or ask in the chat.</source>
        <translation>Nichts in den Anleitungen passt. Versuchen Sie ein anderes Wort, oder fragen Sie im Chat.</translation>
    </message>
    <message>
        <source>A workbench for two-dimensional ray optics with an agent at the bench.</source>
        <translation>Eine Werkbank für zweidimensionale Strahlenoptik mit einem Agenten an der Bank.</translation>
    </message>
    <message>
        <source>About Raybench</source>
        <translation>Über Raybench</translation>
    </message>
    <message>
        <source>Versions and scene</source>
        <translation>Versionen und Szene</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy what is shown, for a report</source>
        <translation>Das Gezeigte für einen Bericht kopieren</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Open example</source>
        <translation>Beispiel öffnen</translation>
    </message>
    <message>
        <source>Draw lenses, mirrors and sources; rays are traced while you drag. Ask in the chat what the light does: the rays that answer light up.</source>
        <translation>Zeichnen Sie Linsen, Spiegel und Quellen; Strahlen werden verfolgt, während Sie ziehen. Fragen Sie im Chat, was das Licht tut: Die Strahlen der Antwort leuchten auf.</translation>
    </message>
    <message>
        <source>New scene</source>
        <translation>Neue Szene</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>Datei öffnen…</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt verwendet</translation>
    </message>
    <message>
        <source>Ask in the chat: {command}
{answer}</source>
        <translation>Im Chat fragen: {command}
{answer}</translation>
    </message>
    <message>
        <source>On the command line: {command}
{answer}</source>
        <translation>In der Befehlszeile: {command}
{answer}</translation>
    </message>
    <message>
        <source>Click a ray or an object to see what its light does. Alt+click picks a ray inside a glass.</source>
        <translation>Klicken Sie einen Strahl oder ein Objekt an, um zu sehen, was sein Licht tut. Alt+Klick wählt einen Strahl in einem Glas.</translation>
    </message>
    <message>
        <source>Receives</source>
        <translation>Empfängt</translation>
    </message>
    <message>
        <source>Reflects</source>
        <translation>Reflektiert</translation>
    </message>
    <message>
        <source>Transmits</source>
        <translation>Lässt durch</translation>
    </message>
    <message>
        <source>Absorbs</source>
        <translation>Absorbiert</translation>
    </message>
    <message>
        <source>Emits</source>
        <translation>Strahlt ab</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Wavelength</source>
        <translation>Wellenlänge</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>Entstanden durch</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>Trifft</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>The path of the ray</source>
        <translation>Der Weg des Strahls</translation>
    </message>
    <message>
        <source>The balance of the light</source>
        <translation>Die Bilanz des Lichts</translation>
    </message>
    <message>
        <source>Steps of the path</source>
        <translation>Schritte des Weges</translation>
    </message>
    <message>
        <source>Power at its start</source>
        <translation>Leistung an seinem Anfang</translation>
    </message>
    <message>
        <source>, {count} listed</source>
        <translation>, {count} aufgeführt</translation>
    </message>
    <message>
        <source>Ray {title} · {count} segments on its path{more}</source>
        <translation>Strahl {title} · {count} Segmente auf seinem Weg{more}</translation>
    </message>
    <message>
        <source>{way}, depth {depth}</source>
        <translation>{way}, Tiefe {depth}</translation>
    </message>
    <message>
        <source>Pin “{value}”</source>
        <translation>„{value}“ anheften</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Relative power</source>
        <translation>Relative Leistung</translation>
    </message>
    <message>
        <source>{degree:.3g} of it </source>
        <translation>{degree:.3g} davon </translation>
    </message>
    <message>
        <source>Polarization</source>
        <translation>Polarisation</translation>
    </message>
    <message>
        <source>Edge</source>
        <translation>Kante</translation>
    </message>
    <message>
        <source>Incidence</source>
        <translation>Einfall</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Path to its end</source>
        <translation>Weg bis zu seinem Ende</translation>
    </message>
    <message>
        <source>Optical path</source>
        <translation>Optische Weglänge</translation>
    </message>
    <message>
        <source>Scene as JSON</source>
        <translation>Szene als JSON</translation>
    </message>
    <message>
        <source>Find in the text</source>
        <translation>Im Text suchen</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <source>{index} of {count}</source>
        <translation>{index} von {count}</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Discard typing</source>
        <translation>Eingabe verwerfen</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>Suchen…</translation>
    </message>
    <message>
        <source>The JSON has a fault: {fault} Correct it, or discard the typing.</source>
        <translation>Das JSON hat einen Fehler: {fault} Berichtigen Sie ihn, oder verwerfen Sie die Eingabe.</translation>
    </message>
    <message>
        <source>Working out the scene&apos;s text</source>
        <translation>Das Ausarbeiten des Szenentextes</translation>
    </message>
    <message>
        <source> The scene changed meanwhile: both are joined once the text is valid.</source>
        <translation> Die Szene hat sich inzwischen geändert: Beides wird vereint, sobald der Text gültig ist.</translation>
    </message>
    <message>
        <source>Typing…</source>
        <translation>Eingabe…</translation>
    </message>
    <message>
        <source>1 object</source>
        <translation>1 Objekt</translation>
    </message>
    <message>
        <source>The selection is locked. Unlock it in its properties to cut it.</source>
        <translation>Die Auswahl ist gesperrt. Entsperren Sie sie in den Eigenschaften, um sie auszuschneiden.</translation>
    </message>
    <message>
        <source>There are no objects to paste. Copy some first.</source>
        <translation>Es gibt keine Objekte einzufügen. Kopieren Sie zuerst welche.</translation>
    </message>
    <message>
        <source>The clipboard holds materials, modules or notes in a form that cannot be read. Copy the objects again.</source>
        <translation>Die Zwischenablage enthält Materialien, Module oder Notizen in unlesbarer Form. Kopieren Sie die Objekte neu.</translation>
    </message>
    <message>
        <source>{count} objects</source>
        <translation>{count} Objekte</translation>
    </message>
    <message>
        <source>Pasted without a {noun}: {error}</source>
        <translation>Ohne {noun} eingefügt: {error}</translation>
    </message>
    <message>
        <source>{objects} pasted</source>
        <translation>{objects} eingefügt</translation>
    </message>
    <message>
        <source>1 {copied} was pasted as 1 {here}. Arrange → Scale… by {factor} gives the sizes that were copied.</source>
        <translation>1 {copied} wurde als 1 {here} eingefügt. Anordnen → Skalieren… mit {factor} gibt die kopierten Größen.</translation>
    </message>
    <message>
        <source>In step with the canvas: {objects}, {lines} lines</source>
        <translation>Im Gleichschritt mit der Zeichenfläche: {objects}, {lines} Zeilen</translation>
    </message>
    <message>
        <source>{title} of {noun} {row}</source>
        <translation>{title}, {noun} {row}</translation>
    </message>
    <message>
        <source>add</source>
        <translation>hinzufügen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <source>Focal length</source>
        <translation>Brennweite</translation>
    </message>
    <message>
        <source>Scale lens</source>
        <translation>Linse skalieren</translation>
    </message>
    <message>
        <source>All lengths are multiplied.</source>
        <translation>Alle Längen werden multipliziert.</translation>
    </message>
    <message>
        <source>A scale keeps the sign of the focal length, which is {focal_length:.6g}.</source>
        <translation>Eine Skalierung behält das Vorzeichen der Brennweite, die {focal_length:.6g} ist.</translation>
    </message>
    <message>
        <source>Surface that it follows</source>
        <translation>Fläche, der sie folgt</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>Surface</source>
        <translation>Fläche</translation>
    </message>
    <message>
        <source>Pickup</source>
        <translation>Übernahme</translation>
    </message>
    <message>
        <source>The lens has no first order.</source>
        <translation>Die Linse hat keine paraxialen Größen.</translation>
    </message>
    <message>
        <source>f/{number:.3g}</source>
        <translation>f/{number:.3g}</translation>
    </message>
    <message>
        <source>back focus {length}</source>
        <translation>Schnittweite {length}</translation>
    </message>
    <message>
        <source>image {length}</source>
        <translation>Bild {length}</translation>
    </message>
    <message>
        <source>magnification {magnification:.4g}</source>
        <translation>Abbildungsmaßstab {magnification:.4g}</translation>
    </message>
    <message>
        <source>length {length}</source>
        <translation>Länge {length}</translation>
    </message>
    <message>
        <source>least edge {length} behind {behind}</source>
        <translation>kleinste Randdicke {length} hinter {behind}</translation>
    </message>
    <message>
        <source>pupil {length} at {other}</source>
        <translation>Eintrittspupille {length} bei {other}</translation>
    </message>
    <message>
        <source>exit pupil {length} at {other}</source>
        <translation>Austrittspupille {length} bei {other}</translation>
    </message>
    <message>
        <source>{name}: sources {value}</source>
        <translation>{name}: Quellen {value}</translation>
    </message>
    <message>
        <source>{title} of surface {row}</source>
        <translation>{title} der Fläche {row}</translation>
    </message>
    <message>
        <source>Fixed</source>
        <translation>Fest</translation>
    </message>
    <message>
        <source>{label} fixed</source>
        <translation>{label} fest</translation>
    </message>
    <message>
        <source>Variable of the merit</source>
        <translation>Variable des Gütemaßes</translation>
    </message>
    <message>
        <source>{label} variable</source>
        <translation>{label} variabel</translation>
    </message>
    <message>
        <source>Pickup…</source>
        <translation>Übernahme…</translation>
    </message>
    <message>
        <source>Solve for {value}…</source>
        <translation>Bestimmt durch {value}…</translation>
    </message>
    <message>
        <source>{label} picked up</source>
        <translation>{label} übernommen</translation>
    </message>
    <message>
        <source>{label} follows that of</source>
        <translation>{label} folgt der von</translation>
    </message>
    <message>
        <source>{label} solved</source>
        <translation>{label} bestimmt</translation>
    </message>
    <message>
        <source>Distance behind the paraxial focus</source>
        <translation>Abstand hinter dem paraxialen Brennpunkt</translation>
    </message>
    <message>
        <source>{name}, held by the {what}:</source>
        <translation>{name}, gehalten durch {what}:</translation>
    </message>
    <message>
        <source>Solve</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>No lens yet. The prescription of a lens system is edited here as a table: radii, thicknesses, glasses. Insert &gt; Lenses &gt; Lens system makes one; File &gt; Import lens reads .zmx, .seq and .len.</source>
        <translation>Noch keine Linse. Die Daten eines Linsensystems werden hier als Tabelle bearbeitet: Radien, Dicken, Gläser. Einfügen &gt; Linsen &gt; Linsensystem erstellt eines; Datei &gt; Linse importieren liest .zmx, .seq und .len.</translation>
    </message>
    <message>
        <source>Lens</source>
        <translation>Linse</translation>
    </message>
    <message>
        <source>Surfaces of the lens</source>
        <translation>Flächen der Linse</translation>
    </message>
    <message>
        <source>Insert, delete, move, reverse, scale</source>
        <translation>Einfügen, löschen, verschieben, umkehren, skalieren</translation>
    </message>
    <message>
        <source>Edit ▾</source>
        <translation>Bearbeiten ▾</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Aperture, fields and wavelengths</source>
        <translation>Öffnung, Felder und Wellenlängen</translation>
    </message>
    <message>
        <source>First order</source>
        <translation>Paraxiale Größen</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>Was nicht stimmt</translation>
    </message>
    <message>
        <source>System of the lens</source>
        <translation>System der Linse</translation>
    </message>
    <message>
        <source>Insert a lens system</source>
        <translation>Linsensystem einfügen</translation>
    </message>
    <message>
        <source>Import a lens file…</source>
        <translation>Linsendatei importieren…</translation>
    </message>
    <message>
        <source>{words} And {more} more.</source>
        <translation>{words} Und {more} weitere.</translation>
    </message>
    <message>
        <source>Use {name}</source>
        <translation>{name} verwenden</translation>
    </message>
    <message>
        <source>, with 1 link or variable</source>
        <translation>, mit 1 Verknüpfung oder Variablen</translation>
    </message>
    <message>
        <source>, with {count} links or variables</source>
        <translation>, mit {count} Verknüpfungen oder Variablen</translation>
    </message>
    <message>
        <source>Surface {index} inserted</source>
        <translation>Fläche {index} eingefügt</translation>
    </message>
    <message>
        <source>{rows} deleted</source>
        <translation>{rows} gelöscht</translation>
    </message>
    <message>
        <source>{rows} moved</source>
        <translation>{rows} verschoben</translation>
    </message>
    <message>
        <source>{rows} reversed</source>
        <translation>{rows} umgekehrt</translation>
    </message>
    <message>
        <source>Surface {first} split</source>
        <translation>Fläche {first} getrennt</translation>
    </message>
    <message>
        <source>Mirror at surface {first}</source>
        <translation>Spiegel an Fläche {first}</translation>
    </message>
    <message>
        <source>Stop at surface {index}</source>
        <translation>Blende an Fläche {index}</translation>
    </message>
    <message>
        <source>Scaled by {factor:.6g}</source>
        <translation>Um {factor:.6g} skaliert</translation>
    </message>
    <message>
        <source>Rows pasted</source>
        <translation>Zeilen eingefügt</translation>
    </message>
    <message>
        <source>Insert before</source>
        <translation>Davor einfügen</translation>
    </message>
    <message>
        <source>Insert after</source>
        <translation>Dahinter einfügen</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Reverse</source>
        <translation>Umkehren</translation>
    </message>
    <message>
        <source>Split cemented surface</source>
        <translation>Gekittete Fläche trennen</translation>
    </message>
    <message>
        <source>Stop here</source>
        <translation>Blende hier</translation>
    </message>
    <message>
        <source>Mirror here</source>
        <translation>Spiegel hier</translation>
    </message>
    <message>
        <source>Add aspheric term</source>
        <translation>Asphärischen Term hinzufügen</translation>
    </message>
    <message>
        <source>Scale lens…</source>
        <translation>Linse skalieren…</translation>
    </message>
    <message>
        <source>Curvatures for radii</source>
        <translation>Krümmungen statt Radien</translation>
    </message>
    <message>
        <source>No mirror here</source>
        <translation>Hier kein Spiegel</translation>
    </message>
    <message>
        <source>Object</source>
        <comment>lens</comment>
        <translation>Objekt</translation>
    </message>
    <message>
        <source>Surface {first}</source>
        <translation>Fläche {first}</translation>
    </message>
    <message>
        <source>Surfaces {first} to {last}</source>
        <translation>Flächen {first} bis {last}</translation>
    </message>
    <message>
        <source>the object</source>
        <translation>dem Objekt</translation>
    </message>
    <message>
        <source>the image</source>
        <translation>dem Bild</translation>
    </message>
    <message>
        <source>surface {row}</source>
        <translation>Fläche {row}</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>{section} Stop</source>
        <translation>{section} Blende</translation>
    </message>
    <message>
        <source>As much as the light of the fields needs. Type a number to fix it.</source>
        <translation>So viel, wie das Licht der Felder braucht. Eine Zahl legt es fest.</translation>
    </message>
    <message>
        <source>Edge thickness {edge:.4g} {unit}.</source>
        <translation>Randdicke {edge:.4g} {unit}.</translation>
    </message>
    <message>
        <source>{title} of {place}</source>
        <translation>{title}: {place}</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>Spiegel</translation>
    </message>
    <message>
        <source>Pupil diameter</source>
        <translation>Pupillendurchmesser</translation>
    </message>
    <message>
        <source>f-number</source>
        <translation>Blendenzahl</translation>
    </message>
    <message>
        <source>Object NA</source>
        <translation>Objekt-NA</translation>
    </message>
    <message>
        <source>Stop size</source>
        <translation>Blendengröße</translation>
    </message>
    <message>
        <source>Angle</source>
        <translation>Winkel</translation>
    </message>
    <message>
        <source>Object height</source>
        <translation>Objekthöhe</translation>
    </message>
    <message>
        <source>Image height</source>
        <translation>Bildhöhe</translation>
    </message>
    <message>
        <source>Aperture</source>
        <translation>Blende</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>Felder</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>Feld</translation>
    </message>
    <message>
        <source>The angle or the height</source>
        <translation>Der Winkel oder die Höhe</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>Its weight in the merit</source>
        <translation>Sein Gewicht im Gütemaß</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>Untergrenze</translation>
    </message>
    <message>
        <source>Aperture</source>
        <comment>lens</comment>
        <translation>Öffnung</translation>
    </message>
    <message>
        <source>Vignetting: the part of the lower pupil that is cut off</source>
        <translation>Vignettierung: der abgeschnittene Teil der unteren Pupille</translation>
    </message>
    <message>
        <source>Low</source>
        <comment>bound</comment>
        <translation>Unten</translation>
    </message>
    <message>
        <source>Vignetting: the part of the upper pupil that is cut off</source>
        <translation>Vignettierung: der abgeschnittene Teil der oberen Pupille</translation>
    </message>
    <message>
        <source>Up</source>
        <comment>bound</comment>
        <translation>Oben</translation>
    </message>
    <message>
        <source>Wavelengths</source>
        <translation>Wellenlängen</translation>
    </message>
    <message>
        <source>A vacuum wavelength in nm, or a line: {names}</source>
        <translation>Eine Vakuumwellenlänge in nm oder eine Linie: {names}</translation>
    </message>
    <message>
        <source>Its power, and its weight in the merit</source>
        <translation>Ihre Leistung und ihr Gewicht im Gütemaß</translation>
    </message>
    <message>
        <source>Primary</source>
        <translation>Haupt-λ</translation>
    </message>
    <message>
        <source>Sources for the fields</source>
        <translation>Quellen für die Felder</translation>
    </message>
    <message>
        <source>Put the light of the fields on the bench</source>
        <translation>Das Licht der Felder auf die Bank stellen</translation>
    </message>
    <message>
        <source>Aperture&apos;s value</source>
        <translation>Wert der Öffnung</translation>
    </message>
    <message>
        <source>Kind of fields</source>
        <translation>Art der Felder</translation>
    </message>
    <message>
        <source>The wavelength</source>
        <translation>Die Wellenlänge</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>It stands on the bench.</source>
        <translation>Sie steht auf der Bank.</translation>
    </message>
    <message>
        <source>new parameter</source>
        <translation>neuer Parameter</translation>
    </message>
    <message>
        <source>{name} in {title}</source>
        <translation>{name} in {title}</translation>
    </message>
    <message>
        <source>Weight in the merit</source>
        <translation>Gewicht im Gütemaß</translation>
    </message>
    <message>
        <source>{name} by configuration</source>
        <translation>{name} je Konfiguration</translation>
    </message>
    <message>
        <source>{names} of configuration {index}</source>
        <translation>{names} der Konfiguration {index}</translation>
    </message>
    <message>
        <source>The weight</source>
        <translation>Das Gewicht</translation>
    </message>
    <message>
        <source>The value</source>
        <translation>Der Wert</translation>
    </message>
    <message>
        <source>Write what it should be: 50, at least ≥ 1, at most ≤ 8, or between 1 … 8</source>
        <translation>Schreiben Sie, was es sein soll: 50, mindestens ≥ 1, höchstens ≤ 8, oder zwischen 1 … 8</translation>
    </message>
    <message>
        <source>operand</source>
        <translation>Operand</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>What is wanted of the lens</source>
        <translation>Was von der Linse verlangt wird</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>The number of the surface or field; all if empty</source>
        <translation>Die Nummer der Fläche oder des Feldes; alle, wenn leer</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>In</source>
        <translation>In</translation>
    </message>
    <message>
        <source>The number of the configuration; all if empty</source>
        <translation>Die Nummer der Konfiguration; alle, wenn leer</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>Grenzen</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>How much it counts; with 0 it is computed only</source>
        <translation>Wie viel es zählt; mit 0 wird es nur berechnet</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>Linien</translation>
    </message>
    <message>
        <source>The frequency of the modulation, in lines per unit of length</source>
        <translation>Die Frequenz der Modulation, in Linien je Längeneinheit</translation>
    </message>
    <message>
        <source>The frequency</source>
        <translation>Die Frequenz</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>What it is: from … to if it is many numbers, of rays the root of the mean square</source>
        <translation>Was es ist: von … bis, wenn es viele Zahlen sind, bei Strahlen die Wurzel des mittleren Quadrats</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>The unit of the target and of what it is</source>
        <translation>Die Einheit des Ziels und dessen, was ist</translation>
    </message>
    <message>
        <source>Its share of the squared merit</source>
        <translation>Sein Anteil am quadrierten Gütemaß</translation>
    </message>
    <message>
        <source>The target</source>
        <translation>Das Ziel</translation>
    </message>
    <message>
        <source>{words}: the lower bound is above the upper one.</source>
        <translation>{words}: Die Untergrenze liegt über der Obergrenze.</translation>
    </message>
    <message>
        <source>{words} is no limit. Write at most ≤ 8, at least ≥ 1, or 1 … 8.</source>
        <translation>{words} ist keine Grenze. Schreiben Sie höchstens ≤ 8, mindestens ≥ 1, oder 1 … 8.</translation>
    </message>
    <message>
        <source>{noun} of {of}</source>
        <translation>{noun} von {of}</translation>
    </message>
    <message>
        <source>{words} is no number of a surface, field or configuration, such as 2.</source>
        <translation>{words} ist keine Nummer einer Fläche, eines Feldes oder einer Konfiguration, etwa 2.</translation>
    </message>
    <message>
        <source>no light</source>
        <translation>kein Licht</translation>
    </message>
    <message>
        <source>rms {value:.4g}</source>
        <translation>rms {value:.4g}</translation>
    </message>
    <message>
        <source>{lost} of {count} have no light.</source>
        <translation>{lost} von {count} haben kein Licht.</translation>
    </message>
    <message>
        <source>No lens yet. What a lens should become, and what may change, is written here and searched for. Insert &gt; Lenses &gt; Lens system makes one; File &gt; Import lens reads .zmx, .seq and .len.</source>
        <translation>Noch keine Linse. Was aus einer Linse werden soll und was sich ändern darf, wird hier geschrieben und gesucht. Einfügen &gt; Linsen &gt; Linsensystem erstellt eine; Datei &gt; Linse importieren liest .zmx, .seq und .len.</translation>
    </message>
    <message>
        <source>No operands yet. Choose a usual merit, or add rows: double click “add”.</source>
        <translation>Noch keine Operanden. Wählen Sie ein übliches Gütemaß, oder fügen Sie Zeilen hinzu: Doppelklick auf „hinzufügen“.</translation>
    </message>
    <message>
        <source>Nothing varies yet. Add curvatures, distances or glasses, or double click “add”.</source>
        <translation>Noch variiert nichts. Fügen Sie Krümmungen, Abstände oder Gläser hinzu, oder Doppelklick auf „hinzufügen“.</translation>
    </message>
    <message>
        <source>One state. Add a configuration for a zoom or another focusing distance: what differs is then a row, each state a column.</source>
        <translation>Ein Zustand. Fügen Sie eine Konfiguration für ein Zoom oder einen anderen Fokusabstand hinzu: Was sich unterscheidet, ist dann eine Zeile, jeder Zustand eine Spalte.</translation>
    </message>
    <message>
        <source>Spot + focal length</source>
        <translation>Bildfleck + Brennweite</translation>
    </message>
    <message>
        <source>Wavefront + focal length</source>
        <translation>Wellenfront + Brennweite</translation>
    </message>
    <message>
        <source>All curvatures</source>
        <translation>Alle Krümmungen</translation>
    </message>
    <message>
        <source>All distances</source>
        <translation>Alle Abstände</translation>
    </message>
    <message>
        <source>Glasses</source>
        <translation>Gläser</translation>
    </message>
    <message>
        <source>The lens was edited meanwhile: the search has ended without a change.</source>
        <translation>Die Linse wurde inzwischen bearbeitet: Die Suche endete ohne Änderung.</translation>
    </message>
    <message>
        <source>The merit</source>
        <translation>Das Gütemaß</translation>
    </message>
    <message>
        <source>Operands of the merit</source>
        <translation>Operanden des Gütemaßes</translation>
    </message>
    <message>
        <source>Configurations of the lens</source>
        <translation>Konfigurationen der Linse</translation>
    </message>
    <message>
        <source>End with the best so far</source>
        <translation>Mit dem bisher Besten beenden</translation>
    </message>
    <message>
        <source>Merit</source>
        <translation>Gütemaß</translation>
    </message>
    <message>
        <source>Usual merit</source>
        <translation>Übliches Gütemaß</translation>
    </message>
    <message>
        <source>Rays or wavefront of all fields, the focal length, and bounds of thicknesses</source>
        <translation>Strahlen oder Wellenfront aller Felder, die Brennweite und Grenzen der Dicken</translation>
    </message>
    <message>
        <source>Parts of the merit</source>
        <translation>Teile des Gütemaßes</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
    <message>
        <source>Show on the bench</source>
        <translation>Auf der Bank zeigen</translation>
    </message>
    <message>
        <source>Vary</source>
        <translation>Variieren</translation>
    </message>
    <message>
        <source>Delete row</source>
        <translation>Zeile löschen</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Operands</source>
        <translation>Operanden</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Configurations</source>
        <translation>Konfigurationen</translation>
    </message>
    <message>
        <source>Tolerances</source>
        <translation>Toleranzen</translation>
    </message>
    <message>
        <source>Variables of the merit</source>
        <translation>Variablen des Gütemaßes</translation>
    </message>
    <message>
        <source>Usual merit, {name}</source>
        <translation>Übliches Gütemaß, {name}</translation>
    </message>
    <message>
        <source>{title} vary</source>
        <translation>{title} variieren</translation>
    </message>
    <message>
        <source>Nothing varies</source>
        <translation>Nichts variiert</translation>
    </message>
    <message>
        <source>Choose a configuration: click a cell of its column.</source>
        <translation>Wählen Sie eine Konfiguration: Klicken Sie eine Zelle ihrer Spalte.</translation>
    </message>
    <message>
        <source>Configuration added</source>
        <translation>Konfiguration hinzugefügt</translation>
    </message>
    <message>
        <source>Configuration {index} deleted</source>
        <translation>Konfiguration {index} gelöscht</translation>
    </message>
    <message>
        <source>Configuration {index} named {name}</source>
        <translation>Konfiguration {index} {name} genannt</translation>
    </message>
    <message>
        <source>Name of configuration {index}</source>
        <translation>Name der Konfiguration {index}</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Configuration {index} on the bench</source>
        <translation>Konfiguration {index} auf der Bank</translation>
    </message>
    <message>
        <source>{name} the same in all</source>
        <translation>{name} in allen gleich</translation>
    </message>
    <message>
        <source>Choose the value that varies: click its cell.</source>
        <translation>Wählen Sie den Wert, der variiert: Klicken Sie seine Zelle.</translation>
    </message>
    <message>
        <source>{name} variable</source>
        <translation>{name} variabel</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>sucht…</translation>
    </message>
    <message>
        <source>The search</source>
        <translation>Die Suche</translation>
    </message>
    <message>
        <source>Change the operands or variables.</source>
        <translation>Ändern Sie die Operanden oder Variablen.</translation>
    </message>
    <message>
        <source>sampling…</source>
        <translation>Stichproben laufen…</translation>
    </message>
    <message>
        <source>The study</source>
        <translation>Die Studie</translation>
    </message>
    <message>
        <source>Change what deviates.</source>
        <translation>Ändern Sie, was abweicht.</translation>
    </message>
    <message>
        <source>{done} of {total} lenses, {left:.0f} s left</source>
        <translation>{done} von {total} Linsen, noch {left:.0f} s</translation>
    </message>
    <message>
        <source>{done} lenses in {seconds:.1f} s</source>
        <translation>{done} Linsen in {seconds:.1f} s</translation>
    </message>
    <message>
        <source>{words} in {seconds:.1f} s</source>
        <translation>{words} in {seconds:.1f} s</translation>
    </message>
    <message>
        <source>merit {first:.5g}; no better lens in {evaluations} evaluations</source>
        <translation>Gütemaß {first:.5g}; keine bessere Linse in {evaluations} Auswertungen</translation>
    </message>
    <message>
        <source>{lens}: {name}, merit {first:.4g} → {merit:.4g}</source>
        <translation>{lens}: {name}, Gütemaß {first:.4g} → {merit:.4g}</translation>
    </message>
    <message>
        <source>merit {first_merit:.5g} → {merit:.5g}, {evaluations} evaluations</source>
        <translation>Gütemaß {first_merit:.5g} → {merit:.5g}, {evaluations} Auswertungen</translation>
    </message>
    <message>
        <source>merit {merit:.5g}</source>
        <translation>Gütemaß {merit:.5g}</translation>
    </message>
    <message>
        <source>Optimise</source>
        <translation>Optimieren</translation>
    </message>
    <message>
        <source>Go downhill from this lens, by damped least squares</source>
        <translation>Von dieser Linse bergab gehen, mit gedämpften kleinsten Quadraten</translation>
    </message>
    <message>
        <source>Search widely</source>
        <translation>Weit suchen</translation>
    </message>
    <message>
        <source>Disturb the best lens within the bounds, again and again, and improve it</source>
        <translation>Die beste Linse innerhalb der Grenzen immer wieder stören und verbessern</translation>
    </message>
    <message>
        <source>Choose glasses</source>
        <translation>Gläser wählen</translation>
    </message>
    <message>
        <source>Replace the glasses that vary by neighbours, and improve</source>
        <translation>Die Gläser, die variieren, durch Nachbarn ersetzen und verbessern</translation>
    </message>
    <message>
        <source>Merit of the search</source>
        <translation>Gütemaß der Suche</translation>
    </message>
    <message>
        <source>evaluations</source>
        <translation>Auswertungen</translation>
    </message>
    <message>
        <source>Choose Commercial or Precision, or write what deviates, and press Run. Limits give a yield; compensators, such as the last distance, are adjusted in each sample.</source>
        <translation>Wählen Sie Handelsüblich oder Präzision, oder schreiben Sie, was abweicht, und drücken Sie Start. Grenzen geben eine Ausbeute; Kompensatoren, etwa der letzte Abstand, werden in jeder Stichprobe angepasst.</translation>
    </message>
    <message>
        <source> The lens has changed since.</source>
        <translation> Die Linse wurde seitdem geändert.</translation>
    </message>
    <message>
        <source>Commercial</source>
        <translation>Handelsüblich</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <source>Compensators</source>
        <translation>Kompensatoren</translation>
    </message>
    <message>
        <source>What is adjusted in each sample for the smallest merit, such as t6</source>
        <translation>Was in jeder Stichprobe für das kleinste Gütemaß angepasst wird, etwa t6</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Stichproben</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Run the tolerances</source>
        <translation>Toleranzen rechnen</translation>
    </message>
    <message>
        <source>Export ▾</source>
        <translation>Export ▾</translation>
    </message>
    <message>
        <source>Export the tolerances</source>
        <translation>Toleranzen exportieren</translation>
    </message>
    <message>
        <source>Quantity that is plotted</source>
        <translation>Dargestellte Größe</translation>
    </message>
    <message>
        <source>Distribution of the samples</source>
        <translation>Verteilung der Stichproben</translation>
    </message>
    <message>
        <source>Sensitivities</source>
        <translation>Empfindlichkeiten</translation>
    </message>
    <message>
        <source>Yields</source>
        <translation>Ausbeuten</translation>
    </message>
    <message>
        <source>Usual deviations: radii ± {number:g} %, distances ± {distance:g} mm, indices ± {index:g}</source>
        <translation>Übliche Abweichungen: Radien ± {number:g} %, Abstände ± {distance:g} mm, Brechzahlen ± {index:g}</translation>
    </message>
    <message>
        <source>The deviation</source>
        <translation>Die Abweichung</translation>
    </message>
    <message>
        <source>The deviation is an amount to both sides. Write it without sign.</source>
        <translation>Die Abweichung ist ein Betrag nach beiden Seiten. Schreiben Sie sie ohne Vorzeichen.</translation>
    </message>
    <message>
        <source>Deviates</source>
        <translation>Weicht ab</translation>
    </message>
    <message>
        <source>A parameter: r1 is the radius of surface 1, t1 the distance behind it, n1 the index behind it</source>
        <translation>Ein Parameter: r1 ist der Radius von Fläche 1, t1 der Abstand dahinter, n1 die Brechzahl dahinter</translation>
    </message>
    <message>
        <source>By how much, to both sides</source>
        <translation>Um wie viel, nach beiden Seiten</translation>
    </message>
    <message>
        <source>Its unit</source>
        <translation>Seine Einheit</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>Was es ist</translation>
    </message>
    <message>
        <source>deviation</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>Deviations</source>
        <translation>Abweichungen</translation>
    </message>
    <message>
        <source>Sensitivities…</source>
        <translation>Empfindlichkeiten…</translation>
    </message>
    <message>
        <source>Samples…</source>
        <translation>Stichproben…</translation>
    </message>
    <message>
        <source>Export {what}</source>
        <translation>{what} exportieren</translation>
    </message>
    <message>
        <source>Table as CSV (*.csv)</source>
        <translation>Tabelle als CSV (*.csv)</translation>
    </message>
    <message>
        <source>merit {nominal:.3g}</source>
        <translation>Gütemaß {nominal:.3g}</translation>
    </message>
    <message>
        <source>, half of {count} samples below {half:.3g}, 90 % below {most:.3g}</source>
        <translation>, die Hälfte von {count} Stichproben unter {half:.3g}, 90 % unter {most:.3g}</translation>
    </message>
    <message>
        <source>, {lost} without light</source>
        <translation>, {lost} ohne Licht</translation>
    </message>
    <message>
        <source>{words}. Limits give a yield.</source>
        <translation>{words}. Grenzen geben eine Ausbeute.</translation>
    </message>
    <message>
        <source>{words}. Yield {number:.3g} % ({low:.3g} to {high:.3g} %): {shares}.</source>
        <translation>{words}. Ausbeute {number:.3g} % ({low:.3g} bis {high:.3g} %): {shares}.</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>Variable</translation>
    </message>
    <message>
        <source>A parameter: c1 is the curvature of surface 1, t1 the distance behind it</source>
        <translation>Ein Parameter: c1 ist die Krümmung von Fläche 1, t1 der Abstand dahinter</translation>
    </message>
    <message>
        <source>The lower bound; none if empty</source>
        <translation>Die untere Grenze; keine, wenn leer</translation>
    </message>
    <message>
        <source>What it is now</source>
        <translation>Was es jetzt ist</translation>
    </message>
    <message>
        <source>High</source>
        <translation>Obergrenze</translation>
    </message>
    <message>
        <source>The upper bound; none if empty</source>
        <translation>Die obere Grenze; keine, wenn leer</translation>
    </message>
    <message>
        <source>variable</source>
        <translation>Variable</translation>
    </message>
    <message>
        <source>Variables of the lens</source>
        <translation>Variablen der Linse</translation>
    </message>
    <message>
        <source>{name} varies already.</source>
        <translation>{name} variiert schon.</translation>
    </message>
    <message>
        <source>The bound</source>
        <translation>Die Grenze</translation>
    </message>
    <message>
        <source>{label}, radius {radius:.5g}</source>
        <translation>{label}, Radius {radius:.5g}</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>In place of the value. {} is the value, {power(Screen)} a measure, \n begins a line.</source>
        <translation>Anstelle des Wertes. {} ist der Wert, {power(Screen)} ein Maß, \n beginnt eine Zeile.</translation>
    </message>
    <message>
        <source>What is measured: the distance of the points, or one component of it.</source>
        <translation>Was gemessen wird: der Abstand der Punkte oder ein Anteil davon.</translation>
    </message>
    <message>
        <source>Decimals</source>
        <translation>Stellen</translation>
    </message>
    <message>
        <source>Digits after the decimal point.</source>
        <translation>Stellen nach dem Komma.</translation>
    </message>
    <message>
        <source>The distance of the dimension line from the middle of the two points.</source>
        <translation>Der Abstand der Maßlinie von der Mitte der beiden Punkte.</translation>
    </message>
    <message>
        <source>Properties of the measurements</source>
        <translation>Eigenschaften der Messungen</translation>
    </message>
    <message>
        <source>{count} measurements: a change applies to all of them.</source>
        <translation>{count} Messungen: Eine Änderung gilt für alle.</translation>
    </message>
    <message>
        <source>the value</source>
        <translation>der Wert</translation>
    </message>
    <message>
        <source>as needed</source>
        <translation>nach Bedarf</translation>
    </message>
    <message>
        <source>There is another measurement {name}.</source>
        <translation>Es gibt schon eine Messung {name}.</translation>
    </message>
    <message>
        <source>No name.</source>
        <translation>Kein Name.</translation>
    </message>
    <message>
        <source>takes the last point back</source>
        <translation>nimmt den letzten Punkt zurück</translation>
    </message>
    <message>
        <source>leaves the tool</source>
        <translation>verlässt das Werkzeug</translation>
    </message>
    <message>
        <source>Tab takes another ray. </source>
        <translation>Tab nimmt einen anderen Strahl. </translation>
    </message>
    <message>
        <source>{title}: click {next_click}. {more}Esc {back}.</source>
        <translation>{title}: Klicken Sie {next_click}. {more}Esc {back}.</translation>
    </message>
    <message>
        <source>There is no surface here. Click {clicks}.</source>
        <translation>Hier ist keine Fläche. Klicken Sie {clicks}.</translation>
    </message>
    <message>
        <source>There is no ray here. Click {clicks}.</source>
        <translation>Hier ist kein Strahl. Klicken Sie {clicks}.</translation>
    </message>
    <message>
        <source>as pinned</source>
        <translation>wie angeheftet</translation>
    </message>
    <message>
        <source>{change} from {before}, when it was pinned</source>
        <translation>{change} gegenüber {before}, als es angeheftet wurde</translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation>Messungen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Abnehmen</translation>
    </message>
    <message>
        <source>Angle of incidence</source>
        <translation>Einfallswinkel</translation>
    </message>
    <message>
        <source>Plot of the coating</source>
        <translation>Diagramm der Beschichtung</translation>
    </message>
    <message>
        <source>The plot of the coating</source>
        <translation>Das Diagramm der Beschichtung</translation>
    </message>
    <message>
        <source>As it was opened</source>
        <translation>Wie geöffnet</translation>
    </message>
    <message>
        <source>Every change is listed here. Click one to go back to it, and a later one to go forward again.</source>
        <translation>Hier steht jede Änderung. Klicken führt zu ihr zurück, und zu einer späteren wieder vor.</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>The search for problems of the scene</source>
        <translation>Die Suche nach Problemen der Szene</translation>
    </message>
    <message>
        <source>Save this view</source>
        <translation>Diese Ansicht speichern</translation>
    </message>
    <message>
        <source>Name of the view</source>
        <translation>Name der Ansicht</translation>
    </message>
    <message>
        <source>A view needs a name.</source>
        <translation>Eine Ansicht braucht einen Namen.</translation>
    </message>
    <message>
        <source>Save this view…</source>
        <translation>Diese Ansicht speichern…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>several</source>
        <translation>mehrere</translation>
    </message>
    <message>
        <source>Select one object to link its numbers.</source>
        <translation>Wählen Sie ein Objekt aus, um seine Zahlen zu koppeln.</translation>
    </message>
    <message>
        <source>Lenses ({names})</source>
        <translation>Linsen ({names})</translation>
    </message>
    <message>
        <source>Glass catalogues (*.agf)</source>
        <translation>Glaskataloge (*.agf)</translation>
    </message>
    <message>
        <source>Use a catalogue file (.agf)…</source>
        <translation>Katalogdatei (.agf) verwenden…</translation>
    </message>
    <message>
        <source>Glasses of {name}</source>
        <translation>Gläser von {name}</translation>
    </message>
    <message>
        <source>The catalogue does not have these glasses. Choose what stands for each:</source>
        <translation>Der Katalog hat diese Gläser nicht. Wählen Sie, was für jedes steht:</translation>
    </message>
    <message>
        <source>Glass for {name}</source>
        <translation>Glas für {name}</translation>
    </message>
    <message>
        <source>a name, or as 1.6204/60.3</source>
        <translation>ein Name oder etwa 1.6204/60.3</translation>
    </message>
    <message>
        <source>{name} has none of these glasses.</source>
        <translation>{name} hat keines dieser Gläser.</translation>
    </message>
    <message>
        <source>choose a glass.</source>
        <translation>wählen Sie ein Glas.</translation>
    </message>
    <message>
        <source>Use a glass catalogue</source>
        <translation>Glaskatalog verwenden</translation>
    </message>
    <message>
        <source>Import a lens</source>
        <translation>Linse importieren</translation>
    </message>
    <message>
        <source>{name} was imported</source>
        <translation>{name} wurde importiert</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren…</translation>
    </message>
    <message>
        <source>import modules</source>
        <translation>Module importieren</translation>
    </message>
    <message>
        <source>Take modules from another scene</source>
        <translation>Module aus einer anderen Szene übernehmen</translation>
    </message>
    <message>
        <source>module {name}</source>
        <translation>Modul {name}</translation>
    </message>
    <message>
        <source>Module {name}</source>
        <translation>Modul {name}</translation>
    </message>
    <message>
        <source>Module {name} cannot be used: {trouble}</source>
        <translation>Modul {name} ist nicht verwendbar: {trouble}</translation>
    </message>
    <message>
        <source>Draw: {noun}. The arrow beside it has more.</source>
        <translation>Zeichnen: {noun}. Der Pfeil daneben bietet mehr.</translation>
    </message>
    <message>
        <source>{family}: draw {noun}</source>
        <translation>{family}: {noun} zeichnen</translation>
    </message>
    <message>
        <source>Find a part</source>
        <translation>Teil suchen</translation>
    </message>
    <message>
        <source>Find a part: lens, prism, detector …</source>
        <translation>Teil suchen: Linse, Prisma, Detektor …</translation>
    </message>
    <message>
        <source>No part matches. Try another word, such as lens or mirror.</source>
        <translation>Kein Teil passt. Versuchen Sie ein anderes Wort, etwa Linse oder Spiegel.</translation>
    </message>
    <message>
        <source>Glass map</source>
        <translation>Glaskarte</translation>
    </message>
    <message>
        <source>Abbe number V</source>
        <translation>Abbe-Zahl V</translation>
    </message>
    <message>
        <source>n at {wavelength} nm</source>
        <translation>n bei {wavelength} nm</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Material</source>
        <translation>Material</translation>
    </message>
    <message>
        <source>Search materials</source>
        <translation>Materialien suchen</translation>
    </message>
    <message>
        <source>A name, or n and V: 1.62 36</source>
        <translation>Ein Name oder n und V: 1.62 36</translation>
    </message>
    <message>
        <source>No material matches. Try another name, or n and V.</source>
        <translation>Kein Material passt. Versuchen Sie einen anderen Namen, oder n und V.</translation>
    </message>
    <message>
        <source>Materials</source>
        <translation>Materialien</translation>
    </message>
    <message>
        <source>Assign</source>
        <translation>Zuweisen</translation>
    </message>
    <message>
        <source>No material</source>
        <translation>Kein Material</translation>
    </message>
    <message>
        <source>Return to the refractive index and Cauchy&apos;s B of the form.</source>
        <translation>Zurück zu Brechzahl und Cauchys B des Formulars.</translation>
    </message>
    <message>
        <source>Nearest</source>
        <translation>Nächstes</translation>
    </message>
    <message>
        <source>Select the glass nearest to the object&apos;s present index and dispersion.</source>
        <translation>Das Glas wählen, das der jetzigen Brechzahl und Dispersion des Objekts am nächsten ist.</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Show the version on disk. Undo brings back what is shown now.</source>
        <translation>Die Fassung auf der Festplatte zeigen. Rückgängig bringt das jetzt Gezeigte zurück.</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Problems of the scene</source>
        <translation>Probleme der Szene</translation>
    </message>
    <message>
        <source>{names} was edited by hand: its data no longer apply, and its objects are free.</source>
        <translation>{names} wurde von Hand bearbeitet: Die Daten gelten nicht mehr, und die Objekte sind frei.</translation>
    </message>
    <message>
        <source>First start: slow for about a minute. {words}</source>
        <translation>Erster Start: etwa eine Minute lang langsam. {words}</translation>
    </message>
    <message>
        <source>{name} was moved or deleted on disk. Save writes it again.</source>
        <translation>{name} wurde verschoben oder gelöscht. Speichern schreibt es wieder.</translation>
    </message>
    <message>
        <source>{name} was changed on disk outside this window.</source>
        <translation>{name} wurde außerhalb dieses Fensters geändert.</translation>
    </message>
    <message>
        <source>{count} problems. </source>
        <translation>{count} Probleme. </translation>
    </message>
    <message>
        <source>Apply this remedy. Undo takes it back.</source>
        <translation>Diese Abhilfe anwenden. Rückgängig nimmt sie zurück.</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>The picture, the plot and the powers at detectors are means of draws: traces whose rays lie between those of the others and meet other chances. The error is the largest of theirs.</source>
        <translation>Das Bild, das Diagramm und die Leistungen an Detektoren sind Mittel von Ziehungen: Strahlverfolgungen, deren Strahlen zwischen denen der anderen liegen und anderen Zufällen begegnen. Der Fehler ist der größte davon.</translation>
    </message>
    <message>
        <source>Click to leave it as it is.</source>
        <translation>Klicken lässt es, wie es ist.</translation>
    </message>
    <message>
        <source>programs may connect</source>
        <translation>Programme dürfen verbinden</translation>
    </message>
    <message>
        <source>{x}, {y} {unit}</source>
        <translation>{x}; {y} {unit}</translation>
    </message>
    <message>
        <source>letting programs connect…</source>
        <translation>Programme dürfen gleich verbinden…</translation>
    </message>
    <message>
        <source>Other programs may use this window&apos;s tools at {url}. Click to end it.</source>
        <translation>Andere Programme dürfen die Werkzeuge dieses Fensters unter {url} verwenden. Klicken beendet es.</translation>
    </message>
    <message>
        <source>{painted} of {total}</source>
        <translation>{painted} von {total}</translation>
    </message>
    <message>
        <source>showing {counts} segments</source>
        <translation>{counts} Segmente gezeigt</translation>
    </message>
    <message>
        <source>{count} segments</source>
        <translation>{count} Segmente</translation>
    </message>
    <message>
        <source>Number of traced ray segments.</source>
        <translation>Zahl der berechneten Strahlsegmente.</translation>
    </message>
    <message>
        <source>{spent:.1f} ms</source>
        <translation>{spent:.1f} ms</translation>
    </message>
    <message>
        <source>too weak to follow</source>
        <translation>zu schwach, um verfolgt zu werden</translation>
    </message>
    <message>
        <source>beyond the largest depth</source>
        <translation>jenseits der größten Tiefe</translation>
    </message>
    <message>
        <source>{share:.3g} % {why}</source>
        <translation>{share:.3g} % {why}</translation>
    </message>
    <message>
        <source>refining: {words}</source>
        <translation>verfeinert gerade: {words}</translation>
    </message>
    <message>
        <source>refined: {words}</source>
        <translation>verfeinert: {words}</translation>
    </message>
    <message>
        <source> {count} segments</source>
        <translation> {count} Segmente</translation>
    </message>
    <message>
        <source>tracing{count}, click to stop</source>
        <translation>Strahlverfolgung{count}, Klicken hält an</translation>
    </message>
    <message>
        <source>preview: a part of the rays</source>
        <translation>Vorschau: ein Teil der Strahlen</translation>
    </message>
    <message>
        <source>not traced</source>
        <translation>nicht berechnet</translation>
    </message>
    <message>
        <source>reduced while dragging</source>
        <translation>während des Ziehens verringert</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>veraltet</translation>
    </message>
    <message>
        <source>partial: {words}</source>
        <translation>unvollständig: {words}</translation>
    </message>
    <message>
        <source>Make module</source>
        <translation>Modul erstellen</translation>
    </message>
    <message>
        <source>Name of the module</source>
        <translation>Name des Moduls</translation>
    </message>
    <message>
        <source>The scene defines none</source>
        <translation>Die Szene definiert keine</translation>
    </message>
    <message>
        <source>Parts of the module</source>
        <translation>Teile des Moduls</translation>
    </message>
    <message>
        <source>Keep the one here</source>
        <translation>Das hiesige behalten</translation>
    </message>
    <message>
        <source>Replace the one here</source>
        <translation>Das hiesige ersetzen</translation>
    </message>
    <message>
        <source>Glass: each closed outline a body</source>
        <translation>Glas: jeder geschlossene Umriss ein Körper</translation>
    </message>
    <message>
        <source>Mirrors: each line, arc and curve</source>
        <translation>Spiegel: jede Linie, jeder Bogen, jede Kurve</translation>
    </message>
    <message>
        <source>Blockers: each line</source>
        <translation>Absorber: jede Linie</translation>
    </message>
    <message>
        <source>Glass and mirrors: closed, open lines</source>
        <translation>Glas und Spiegel: geschlossene, offene Linien</translation>
    </message>
    <message>
        <source>A drawing without effect on light</source>
        <translation>Eine Zeichnung ohne Wirkung auf Licht</translation>
    </message>
    <message>
        <source>Drawings (*.svg *.dxf)</source>
        <translation>Zeichnungen (*.svg *.dxf)</translation>
    </message>
    <message>
        <source>Import {name}</source>
        <translation>{name} importieren</translation>
    </message>
    <message>
        <source>The import</source>
        <translation>Der Import</translation>
    </message>
    <message>
        <source>Import as</source>
        <translation>Importieren als</translation>
    </message>
    <message>
        <source>At the drawing&apos;s coordinates</source>
        <translation>An den Koordinaten der Zeichnung</translation>
    </message>
    <message>
        <source>In the middle of the view</source>
        <translation>In der Mitte der Ansicht</translation>
    </message>
    <message>
        <source>Factor to the size of the drawing, which its unit gives; 25.4 for inches written as millimetres.</source>
        <translation>Faktor zur Größe der Zeichnung, die ihre Einheit gibt; 25,4 bei Zoll, die als Millimeter geschrieben sind.</translation>
    </message>
    <message>
        <source>Largest distance of straight pieces from the curves that they replace.</source>
        <translation>Größter Abstand gerader Stücke von den Kurven, die sie ersetzen.</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Liest…</translation>
    </message>
    <message>
        <source>Layer {name}</source>
        <translation>Ebene {name}</translation>
    </message>
    <message>
        <source>As above</source>
        <translation>Wie oben</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>Ausgelassen</translation>
    </message>
    <message>
        <source>No layer</source>
        <translation>Keine Ebene</translation>
    </message>
    <message>
        <source>Import a drawing</source>
        <translation>Zeichnung importieren</translation>
    </message>
    <message>
        <source>{count} imported from {name}</source>
        <translation>{count} aus {name} importiert</translation>
    </message>
    <message>
        <source>Scenes (*.json *.raybench)</source>
        <translation>Szenen (*.json *.raybench)</translation>
    </message>
    <message>
        <source>Import modules from {name}</source>
        <translation>Module aus {name} importieren</translation>
    </message>
    <message>
        <source>{count} parameters, {points} points</source>
        <translation>{count} Parameter, {points} Punkte</translation>
    </message>
    <message>
        <source>{name} is taken</source>
        <translation>{name} ist vergeben</translation>
    </message>
    <message>
        <source>New name of {name}</source>
        <translation>Neuer Name von {name}</translation>
    </message>
    <message>
        <source>is here already</source>
        <translation>ist schon hier</translation>
    </message>
    <message>
        <source>cannot be used: {trouble}</source>
        <translation>nicht verwendbar: {trouble}</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>A name is missing.</source>
        <translation>Ein Name fehlt.</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is taken: give {other} another name.</source>
        <translation>„{name}“ ist vergeben: Geben Sie {other} einen anderen Namen.</translation>
    </message>
    <message>
        <source>The library shows what is imported.</source>
        <translation>Die Bibliothek zeigt, was importiert ist.</translation>
    </message>
    <message>
        <source>They use {names}, which come with them. {words}</source>
        <translation>Sie verwenden {names}, die mitkommen. {words}</translation>
    </message>
    <message>
        <source>Import modules</source>
        <translation>Module importieren</translation>
    </message>
    <message>
        <source>{name}: the scene defines no modules.</source>
        <translation>{name}: Die Szene definiert keine Module.</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>Module</translation>
    </message>
    <message>
        <source>{title} {names} imported from {name}</source>
        <translation>{title} {names} aus {name} importiert</translation>
    </message>
    <message>
        <source>above {value}</source>
        <translation>größer als {value}</translation>
    </message>
    <message>
        <source>between {value} and {high}</source>
        <translation>zwischen {value} und {high}</translation>
    </message>
    <message>
        <source>at least {value}</source>
        <translation>mindestens {value}</translation>
    </message>
    <message>
        <source>at most {value}</source>
        <translation>höchstens {value}</translation>
    </message>
    <message>
        <source>must be {limits}; {value} is not</source>
        <translation>muss {limits} sein; {value} ist es nicht</translation>
    </message>
    <message>
        <source>It follows = {expression}
Type = alone to unlink it.</source>
        <translation>Es folgt = {expression}
Nur = tippen löst es.</translation>
    </message>
    <message>
        <source>{name} {refusal}.</source>
        <translation>{name} {refusal}.</translation>
    </message>
    <message>
        <source>To the right.</source>
        <translation>Nach rechts.</translation>
    </message>
    <message>
        <source>Downwards.</source>
        <translation>Nach unten.</translation>
    </message>
    <message>
        <source>Counter-clockwise as seen.</source>
        <translation>Gegen den Uhrzeigersinn gesehen.</translation>
    </message>
    <message>
        <source>Data of the {noun}</source>
        <translation>Daten: {noun}</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Click on the canvas, or type where the middle goes; Enter adds it.</source>
        <translation>Klicken Sie auf die Zeichenfläche, oder tippen Sie, wohin die Mitte kommt; die Eingabetaste fügt es hinzu.</translation>
    </message>
    <message>
        <source>Add at this place</source>
        <translation>An dieser Stelle hinzufügen</translation>
    </message>
    <message>
        <source>Click an object to see and change its properties.</source>
        <translation>Klicken Sie ein Objekt an, um seine Eigenschaften zu sehen und zu ändern.</translation>
    </message>
    <message>
        <source>The file contains only the name of a text in the web application&apos;s gallery, not the text itself. Type the text to show.</source>
        <translation>Die Datei enthält nur den Namen eines Textes der Galerie des Web-Programms, nicht den Text selbst. Tippen Sie den Text, der gezeigt werden soll.</translation>
    </message>
    <message>
        <source>simulate colours</source>
        <translation>Farben simulieren</translation>
    </message>
    <message>
        <source>Properties of the selection</source>
        <translation>Eigenschaften der Auswahl</translation>
    </message>
    <message>
        <source>“{name}” was not taken over. {refusal}</source>
        <translation>„{name}“ wurde nicht übernommen. {refusal}</translation>
    </message>
    <message>
        <source>Apply to all {count} of this kind</source>
        <translation>Auf alle {count} dieser Art anwenden</translation>
    </message>
    <message>
        <source>What is changed here is given to all objects of this kind, except names and places.</source>
        <translation>Was hier geändert wird, gilt für alle Objekte dieser Art, außer Namen und Orten.</translation>
    </message>
    <message>
        <source>{title}{count} objects: a change applies to all of them.</source>
        <translation>{title}{count} Objekte: Eine Änderung gilt für alle.</translation>
    </message>
    <message>
        <source>{kind}: {reason} It is kept unchanged in the file.</source>
        <translation>{kind}: {reason} Es bleibt unverändert in der Datei.</translation>
    </message>
    <message>
        <source>The data that it is made from. An edit of its shape by hand ends them.</source>
        <translation>Die Daten, aus denen es entsteht. Eine Änderung seiner Form von Hand beendet sie.</translation>
    </message>
    <message>
        <source>Centre of the whole</source>
        <translation>Mitte des Ganzen</translation>
    </message>
    <message>
        <source>Another value moves the selection as a whole.</source>
        <translation>Ein anderer Wert verschiebt die Auswahl als Ganzes.</translation>
    </message>
    <message>
        <source>Instance of the module &apos;{module}&apos;</source>
        <translation>Instanz des Moduls „{module}“</translation>
    </message>
    <message>
        <source>Edit its definition</source>
        <translation>Seine Definition bearbeiten</translation>
    </message>
    <message>
        <source>Show the definition of the module in the scene&apos;s JSON.</source>
        <translation>Die Definition des Moduls im JSON der Szene zeigen.</translation>
    </message>
    <message>
        <source>No effect: simulate colours</source>
        <translation>Ohne Wirkung: Farben simulieren</translation>
    </message>
    <message>
        <source>Only where the scene simulates colours, a setting, do wavelengths differ.</source>
        <translation>Nur wo die Szene Farben simuliert, eine Einstellung, unterscheiden sich Wellenlängen.</translation>
    </message>
    <message>
        <source>{what} renamed to {name}</source>
        <translation>{what} in {name} umbenannt</translation>
    </message>
    <message>
        <source>{name} of {targets} set to {to}</source>
        <translation>{name} von {targets} auf {to} gesetzt</translation>
    </message>
    <message>
        <source>A material of the catalogue, exact at every wavelength.</source>
        <translation>Ein Material des Katalogs, exakt bei jeder Wellenlänge.</translation>
    </message>
    <message>
        <source>several…</source>
        <translation>mehrere…</translation>
    </message>
    <message>
        <source>none…</source>
        <translation>keines…</translation>
    </message>
    <message>
        <source>∞ at {angle:.1f}°</source>
        <translation>∞ unter {angle:.1f}°</translation>
    </message>
    <message>
        <source>{x}, {y}</source>
        <translation>{x}; {y}</translation>
    </message>
    <message>
        <source>power {power}</source>
        <translation>Leistung {power}</translation>
    </message>
    <message>
        <source>rel.</source>
        <translation>rel.</translation>
    </message>
    <message>
        <source>No rays yet. A scene with a source fills this table.</source>
        <translation>Noch keine Strahlen. Eine Szene mit einer Quelle füllt diese Tabelle.</translation>
    </message>
    <message>
        <source>No ray matches the filter and the highlight. “Show all rays” removes both.</source>
        <translation>Kein Strahl passt zum Filter und zur Hervorhebung. „Alle Strahlen zeigen“ entfernt beide.</translation>
    </message>
    <message>
        <source>No ray matches what is typed above. Type names, words of the table, or a condition such as power &gt; 0.1.</source>
        <translation>Kein Strahl passt zur Eingabe oben. Schreiben Sie Namen, Wörter der Tabelle oder eine Bedingung wie power &gt; 0.1.</translation>
    </message>
    <message>
        <source>Rays</source>
        <translation>Strahlen</translation>
    </message>
    <message>
        <source>Show all rays</source>
        <translation>Alle Strahlen zeigen</translation>
    </message>
    <message>
        <source>Whole paths</source>
        <translation>Ganze Wege</translation>
    </message>
    <message>
        <source>Light with the selected rays all before them and all that came of them</source>
        <translation>Mit den gewählten Strahlen alle davor und alle daraus entstandenen hervorheben</translation>
    </message>
    <message>
        <source>Write the rays of the table to a file</source>
        <translation>Die Strahlen der Tabelle in eine Datei schreiben</translation>
    </message>
    <message>
        <source>Choosing the rows of the ray table</source>
        <translation>Die Wahl der Zeilen der Strahltabelle</translation>
    </message>
    <message>
        <source>Filter of the table</source>
        <translation>Filter der Tabelle</translation>
    </message>
    <message>
        <source>power &gt; 0.1, Screen, reflect</source>
        <translation>power &gt; 0.1, Screen, reflect</translation>
    </message>
    <message>
        <source>Conditions that must all hold: names, interactions, ends, the rays of an answer such as R1, or one of {names}.</source>
        <translation>Bedingungen, die alle gelten müssen: Namen, Wechselwirkungen, Enden, die Strahlen einer Antwort wie R1, oder eine von {names}.</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>, of an earlier state of the scene: ask again</source>
        <translation>, aus einem früheren Zustand der Szene: bitte neu fragen</translation>
    </message>
    <message>
        <source>Shown: {shown} ({rays})</source>
        <translation>Gezeigt: {shown} ({rays})</translation>
    </message>
    <message>
        <source>Export rays</source>
        <translation>Strahlen exportieren</translation>
    </message>
    <message>
        <source>Rays as CSV (*.csv)</source>
        <translation>Strahlen als CSV (*.csv)</translation>
    </message>
    <message>
        <source>rays of the table</source>
        <translation>Strahlen der Tabelle</translation>
    </message>
    <message>
        <source>It has no parts with these values.</source>
        <translation>Mit diesen Werten hat es keine Teile.</translation>
    </message>
    <message>
        <source>Contains {counted}: {listed}. They are read only: change the points, the parameters, or the definition of the module.</source>
        <translation>Enthält {counted}: {listed}. Sie sind nur lesbar: Ändern Sie die Punkte, die Parameter oder die Definition des Moduls.</translation>
    </message>
    <message>
        <source>{name}: usually from {start} to {end} in steps of {step}; any number is taken.</source>
        <translation>{name}: üblich von {start} bis {end} in Schritten von {step}; jede Zahl wird angenommen.</translation>
    </message>
    <message>
        <source>Solid</source>
        <translation>Durchgezogen</translation>
    </message>
    <message>
        <source>Dashed</source>
        <translation>Gestrichelt</translation>
    </message>
    <message>
        <source>Dotted</source>
        <translation>Gepunktet</translation>
    </message>
    <message>
        <source>Its own colour; as the theme says where it would hardly be seen.</source>
        <translation>Seine eigene Farbe; wie das Farbschema, wo sie kaum zu sehen wäre.</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Line width</source>
        <translation>Linienbreite</translation>
    </message>
    <message>
        <source>Dashes</source>
        <translation>Strichelung</translation>
    </message>
    <message>
        <source>other</source>
        <translation>andere</translation>
    </message>
    <message>
        <source>Remove the colour</source>
        <translation>Farbe entfernen</translation>
    </message>
    <message>
        <source>Remove the colour: as the theme</source>
        <translation>Farbe entfernen: wie das Farbschema</translation>
    </message>
    <message>
        <source>as the theme</source>
        <translation>wie Farbschema</translation>
    </message>
    <message>
        <source>{label} cannot be read as a list and are kept unchanged in the file.</source>
        <translation>{label}: nicht als Liste lesbar und unverändert in der Datei behalten.</translation>
    </message>
    <message>
        <source>drag them on the canvas</source>
        <translation>ziehen Sie sie auf der Zeichenfläche</translation>
    </message>
    <message>
        <source>edit them as JSON</source>
        <translation>bearbeiten Sie sie als JSON</translation>
    </message>
    <message>
        <source>{count} items: {where}.</source>
        <translation>{count} Einträge: {where}.</translation>
    </message>
    <message>
        <source>Remove {item} {number}</source>
        <translation>{item} {number} entfernen</translation>
    </message>
    <message>
        <source>Remove this {item}</source>
        <translation>{item} entfernen</translation>
    </message>
    <message>
        <source>Add {item}</source>
        <translation>{item} hinzufügen</translation>
    </message>
    <message>
        <source> first control point</source>
        <translation> erster Kontrollpunkt</translation>
    </message>
    <message>
        <source> second control point</source>
        <translation> zweiter Kontrollpunkt</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>corner</source>
        <translation>Ecke</translation>
    </message>
    <message>
        <source>point</source>
        <translation>Punkt</translation>
    </message>
    <message>
        <source>node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>outgoing ray</source>
        <translation>ausgehender Strahl</translation>
    </message>
    <message>
        <source>order</source>
        <translation>Ordnung</translation>
    </message>
    <message>
        <source>piece</source>
        <translation>Stück</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <source>{label}, slider</source>
        <translation>{label}, Schieberegler</translation>
    </message>
    <message>
        <source>Objects of the scene</source>
        <translation>Objekte der Szene</translation>
    </message>
    <message>
        <source>No object matches. Try another name or kind.</source>
        <translation>Kein Objekt passt. Versuchen Sie einen anderen Namen oder eine andere Art.</translation>
    </message>
    <message>
        <source>Find an object</source>
        <translation>Objekt suchen</translation>
    </message>
    <message>
        <source>Find by name or kind</source>
        <translation>Nach Name oder Art suchen</translation>
    </message>
    <message>
        <source>No objects. Open a scene, or drop a file on the window.</source>
        <translation>Keine Objekte. Öffnen Sie eine Szene, oder ziehen Sie eine Datei ins Fenster.</translation>
    </message>
    <message>
        <source>Hidden: acts on light, but is not drawn</source>
        <translation>Ausgeblendet: wirkt auf Licht, wird aber nicht gezeichnet</translation>
    </message>
    <message>
        <source>Light passes it</source>
        <translation>Licht geht hindurch</translation>
    </message>
    <message>
        <source>Locked: cannot be dragged</source>
        <translation>Gesperrt: kann nicht gezogen werden</translation>
    </message>
    <message>
        <source>The unit of lengths.</source>
        <translation>Die Längeneinheit.</translation>
    </message>
    <message>
        <source>Power unit</source>
        <translation>Leistung in</translation>
    </message>
    <message>
        <source>The unit of powers. Numbers stay; in lm, sources are in W, and light is weighted by the eye.</source>
        <translation>Die Einheit der Leistungen. Zahlen bleiben; in lm sind Quellen in W, und Licht wird nach dem Auge gewichtet.</translation>
    </message>
    <message>
        <source>Observer</source>
        <translation>Beobachter</translation>
    </message>
    <message>
        <source>Seed of the random numbers of sources and modules: the same seed gives the same scene.</source>
        <translation>Startwert der Zufallszahlen von Quellen und Modulen: Derselbe Startwert gibt dieselbe Szene.</translation>
    </message>
    <message>
        <source>Settings of the scene</source>
        <translation>Einstellungen der Szene</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ohne</translation>
    </message>
    <message>
        <source>The disc through which the scene is seen.</source>
        <translation>Die Scheibe, durch die die Szene gesehen wird.</translation>
    </message>
    <message>
        <source>Observer&apos;s radius</source>
        <translation>Radius des Beobachters</translation>
    </message>
    <message>
        <source>Radius</source>
        <translation>Radius</translation>
    </message>
    <message>
        <source>as written below</source>
        <translation>wie unten angegeben</translation>
    </message>
    <message>
        <source>no coating</source>
        <translation>keine Beschichtung</translation>
    </message>
    <message>
        <source>Films are listed from the surroundings to the body; thicknesses and wavelengths are in nm.</source>
        <translation>Schichten stehen von der Umgebung zum Körper; Dicken und Wellenlängen sind in nm.</translation>
    </message>
    <message>
        <source>no finish</source>
        <translation>keine Oberflächengüte</translation>
    </message>
    <message>
        <source>A reflectance makes it a paint; total is the scattered part of the light at normal incidence, rays the number of scattered rays of a hit, towards the name of an object to which half of them go.</source>
        <translation>Ein Reflexionsgrad macht daraus einen Anstrich; total ist der gestreute Teil des Lichts bei senkrechtem Einfall, rays die Zahl gestreuter Strahlen je Treffer, towards der Name eines Objekts, zu dem die Hälfte davon geht.</translation>
    </message>
    <message>
        <source>The {noun} as JSON</source>
        <translation>{noun} als JSON</translation>
    </message>
    <message>
        <source>The {noun} of {edge}. {about}</source>
        <translation>{noun} von {edge}. {about}</translation>
    </message>
    <message>
        <source>This is no JSON: {error}.</source>
        <translation>Das ist kein JSON: {error}.</translation>
    </message>
    <message>
        <source>Edges</source>
        <translation>Kanten</translation>
    </message>
    <message>
        <source>What part of the light each edge reflects and transmits, and how it scatters.</source>
        <translation>Welchen Teil des Lichts jede Kante reflektiert und durchlässt, und wie sie streut.</translation>
    </message>
    <message>
        <source>The {noun} of this edge.</source>
        <translation>{noun} dieser Kante.</translation>
    </message>
    <message>
        <source>{label} of edge {title}</source>
        <translation>{label} der Kante {title}</translation>
    </message>
    <message>
        <source>edge {title} of {name}</source>
        <translation>Kante {title} von {name}</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>Kopplung</translation>
    </message>
    <message>
        <source>A slider above the table</source>
        <translation>Ein Schieberegler über der Tabelle</translation>
    </message>
    <message>
        <source>Numbers by their names, such as 2*Lens.f</source>
        <translation>Zahlen mit ihren Namen, etwa 2*Lens.f</translation>
    </message>
    <message>
        <source>Slider</source>
        <translation>Regler</translation>
    </message>
    <message>
        <source>{title} of {number}</source>
        <translation>{title} von {number}</translation>
    </message>
    <message>
        <source>It follows {link}.
An empty link frees it.</source>
        <translation>Es folgt {link}.
Eine leere Kopplung löst es.</translation>
    </message>
    <message>
        <source>{count} values are pasted, but there are {left} rows from here on.</source>
        <translation>{count} Werte sollen eingefügt werden, aber von hier an gibt es {left} Zeilen.</translation>
    </message>
    <message>
        <source>Row {row}: {reason}</source>
        <translation>Zeile {row}: {reason}</translation>
    </message>
    <message>
        <source>{reasons}. Nothing is pasted.</source>
        <translation>{reasons}. Nichts wurde eingefügt.</translation>
    </message>
    <message>
        <source>{count} numbers</source>
        <translation>{count} Zahlen</translation>
    </message>
    <message>
        <source>{count} pasted</source>
        <translation>{count} eingefügt</translation>
    </message>
    <message>
        <source>No number matches. Type words of its object, its name or its link.</source>
        <translation>Keine Zahl passt. Tippen Sie Wörter ihres Objekts, ihres Namens oder ihrer Kopplung.</translation>
    </message>
    <message>
        <source>Nothing is selected that has numbers.</source>
        <translation>Nichts mit Zahlen ist ausgewählt.</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Filter of the parameters</source>
        <translation>Filter der Parameter</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Filter</source>
        <comment>rows</comment>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Selection only</source>
        <translation>Nur die Auswahl</translation>
    </message>
    <message>
        <source>Write the table to a file</source>
        <translation>Die Tabelle in eine Datei schreiben</translation>
    </message>
    <message>
        <source>Sliders</source>
        <translation>Schieberegler</translation>
    </message>
    <message>
        <source>1 number</source>
        <translation>1 Zahl</translation>
    </message>
    <message>
        <source>Several columns are pasted. Copy one column of numbers.</source>
        <translation>Mehrere Spalten werden eingefügt. Kopieren Sie eine Spalte von Zahlen.</translation>
    </message>
    <message>
        <source>Export parameters</source>
        <translation>Parameter exportieren</translation>
    </message>
    <message>
        <source>Unlink</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Add to study</source>
        <translation>Zur Studie hinzufügen</translation>
    </message>
    <message>
        <source>left end of the slider</source>
        <translation>linkes Ende des Schiebereglers</translation>
    </message>
    <message>
        <source>right end of the slider</source>
        <translation>rechtes Ende des Schiebereglers</translation>
    </message>
    <message>
        <source>{number}, slider</source>
        <translation>{number}, Schieberegler</translation>
    </message>
    <message>
        <source>Remove the slider of {number}</source>
        <translation>Den Schieberegler von {number} entfernen</translation>
    </message>
    <message>
        <source>Remove the slider</source>
        <translation>Den Schieberegler entfernen</translation>
    </message>
    <message>
        <source>power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>power ({power_unit})</source>
        <translation>Leistung ({power_unit})</translation>
    </message>
    <message>
        <source>irradiance ({power} / {unit})</source>
        <translation>Bestrahlungsstärke ({power} / {unit})</translation>
    </message>
    <message>
        <source>position along the detector ({unit})</source>
        <translation>Position entlang des Detektors ({unit})</translation>
    </message>
    <message>
        <source>without interference [{power_unit}/{unit}]</source>
        <translation>ohne Interferenz [{power_unit}/{unit}]</translation>
    </message>
    <message>
        <source>angle from the normal of the lit side (°)</source>
        <translation>Winkel zur Normalen der beleuchteten Seite (°)</translation>
    </message>
    <message>
        <source>angle from the normal (°)</source>
        <translation>Winkel zur Normalen (°)</translation>
    </message>
    <message>
        <source>{axis} per {width:g}°</source>
        <translation>{axis} je {width:g}°</translation>
    </message>
    <message>
        <source>light from both sides</source>
        <translation>Licht von beiden Seiten</translation>
    </message>
    <message>
        <source>wavelength (nm)</source>
        <translation>Wellenlänge (nm)</translation>
    </message>
    <message>
        <source>distance along the beam [{unit}]</source>
        <translation>Abstand entlang des Bündels [{unit}]</translation>
    </message>
    <message>
        <source>RMS width across the beam [{unit}]</source>
        <translation>RMS-Breite quer zum Bündel [{unit}]</translation>
    </message>
    <message>
        <source>best focus: defocus {best:+.4g} {unit}, RMS {least:.3g} {unit}</source>
        <translation>bester Fokus: Defokus {best:+.4g} {unit}, RMS {least:.3g} {unit}</translation>
    </message>
    <message>
        <source>distance from the detector along the beam ({unit})</source>
        <translation>Abstand vom Detektor entlang des Bündels ({unit})</translation>
    </message>
    <message>
        <source>RMS width across the beam ({unit})</source>
        <translation>RMS-Breite quer zum Bündel ({unit})</translation>
    </message>
    <message>
        <source>Irradiance</source>
        <translation>Bestrahlungsstärke</translation>
    </message>
    <message>
        <source>Irradiance with interference</source>
        <translation>Mit Interferenz</translation>
    </message>
    <message>
        <source>Angles</source>
        <translation>Winkel</translation>
    </message>
    <message>
        <source>Spectrum</source>
        <translation>Spektrum</translation>
    </message>
    <message>
        <source>Spot along the beam</source>
        <translation>Fleck entlang des Bündels</translation>
    </message>
    <message>
        <source>All light</source>
        <translation>Alles Licht</translation>
    </message>
    <message>
        <source>Split by source</source>
        <translation>Nach Quelle aufgeteilt</translation>
    </message>
    <message>
        <source>Split by wavelength</source>
        <translation>Nach Wellenlänge aufgeteilt</translation>
    </message>
    <message>
        <source>no wavelength</source>
        <translation>keine Wellenlänge</translation>
    </message>
    <message>
        <source>Plot of the lens</source>
        <translation>Diagramm der Linse</translation>
    </message>
    <message>
        <source>Power from source to end</source>
        <translation>Leistung von der Quelle bis zum Ende</translation>
    </message>
    <message>
        <source>part of the source</source>
        <translation>Teil der Quelle</translation>
    </message>
    <message>
        <source>{count} other {what}</source>
        <translation>{count} andere {what}</translation>
    </message>
    <message>
        <source>No light is emitted.</source>
        <translation>Es wird kein Licht abgestrahlt.</translation>
    </message>
    <message>
        <source>Where power goes</source>
        <translation>Wohin die Leistung geht</translation>
    </message>
    <message>
        <source>The plot</source>
        <translation>Das Diagramm</translation>
    </message>
    <message>
        <source>in parts of all emitted power</source>
        <translation>in Teilen der gesamten abgestrahlten Leistung</translation>
    </message>
    <message>
        <source>no light is emitted</source>
        <translation>kein Licht wird abgestrahlt</translation>
    </message>
    <message>
        <source>No lens system in the scene. Open a lens file, or insert one from Lenses, to see its aberrations.</source>
        <translation>Kein Linsensystem in der Szene. Öffnen Sie eine Linsendatei, oder fügen Sie eines unter Linsen ein, um seine Abbildungsfehler zu sehen.</translation>
    </message>
    <message>
        <source>Aberrations of a lens</source>
        <translation>Abbildungsfehler einer Linse</translation>
    </message>
    <message>
        <source>The plot of the lens</source>
        <translation>Das Diagramm der Linse</translation>
    </message>
    <message>
        <source>Centroid</source>
        <translation>Schwerpunkt</translation>
    </message>
    <message>
        <source>RMS width</source>
        <translation>RMS-Breite</translation>
    </message>
    <message>
        <source>Full width</source>
        <translation>Volle Breite</translation>
    </message>
    <message>
        <source>Signed power</source>
        <translation>Nettoleistung</translation>
    </message>
    <message>
        <source>No detector in the scene. Draw one, on any surface, to see the irradiance along it.</source>
        <translation>Kein Detektor in der Szene. Zeichnen Sie einen, auf einer beliebigen Fläche, um die Bestrahlungsstärke entlang davon zu sehen.</translation>
    </message>
    <message>
        <source>no light arrives</source>
        <translation>kein Licht kommt an</translation>
    </message>
    <message>
        <source>the scene simulates no colours</source>
        <translation>die Szene simuliert keine Farben</translation>
    </message>
    <message>
        <source>less than two rays</source>
        <translation>weniger als zwei Strahlen</translation>
    </message>
    <message>
        <source>{value:.{digits}g} {unit}: {about}</source>
        <translation>{value:.{digits}g} {unit}: {about}</translation>
    </message>
    <message>
        <source>{value:.5g} {unit}</source>
        <translation>{value:.5g} {unit}</translation>
    </message>
    <message>
        <source>{count} rays</source>
        <translation>{count} Strahlen</translation>
    </message>
    <message>
        <source>; widths of {share} of the light, on one path</source>
        <translation>; Breiten von {share} des Lichts, auf einem Weg</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>Aufteilen</translation>
    </message>
    <message>
        <source>Light at the detector</source>
        <translation>Licht am Detektor</translation>
    </message>
    <message>
        <source>From before the last change: the scene cannot be traced now.</source>
        <translation>Von vor der letzten Änderung: Die Szene kann jetzt nicht berechnet werden.</translation>
    </message>
    <message>
        <source>PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf);;Numbers as CSV (*.csv)</source>
        <translation>PNG-Bild (*.png);;SVG-Zeichnung (*.svg);;PDF-Seite (*.pdf);;Zahlen als CSV (*.csv)</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>Export plot</source>
        <translation>Diagramm exportieren</translation>
    </message>
    <message>
        <source>There is no plot to export: {value}.</source>
        <translation>Es gibt kein Diagramm zu exportieren: {value}.</translation>
    </message>
    <message>
        <source>{path}: a plot is written as .png, .svg, .pdf or .csv. Use one of these suffixes.</source>
        <translation>{path}: Ein Diagramm wird als .png, .svg, .pdf oder .csv geschrieben. Verwenden Sie eine dieser Endungen.</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>Sprachmodell</translation>
    </message>
    <message>
        <source>Server, model and key are chosen in the chat.</source>
        <translation>Server, Modell und Schlüssel werden im Chat gewählt.</translation>
    </message>
    <message>
        <source>Connect a model…</source>
        <translation>Modell verbinden…</translation>
    </message>
    <message>
        <source>Server, model and key</source>
        <translation>Server, Modell und Schlüssel</translation>
    </message>
    <message>
        <source>Restore defaults</source>
        <translation>Standardwerte herstellen</translation>
    </message>
    <message>
        <source>Open a project folder</source>
        <translation>Projektordner öffnen</translation>
    </message>
    <message>
        <source>{folder}: this is no project: it has neither tools.py nor *.worker files. Choose another folder.</source>
        <translation>{folder}: Das ist kein Projekt: Es hat weder tools.py noch *.worker-Dateien. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>{value}: this cannot be read ({reason}).</source>
        <translation>{value}: nicht lesbar ({reason}).</translation>
    </message>
    <message>
        <source>{folder}: the code was changed while you looked at it. Open the project again to see it as it is.</source>
        <translation>{folder}: Der Code wurde geändert, während Sie ihn ansahen. Öffnen Sie das Projekt neu, um ihn zu sehen, wie er ist.</translation>
    </message>
    <message>
        <source>Trust this project?</source>
        <translation>Diesem Projekt vertrauen?</translation>
    </message>
    <message>
        <source>Run the Python code of this project?</source>
        <translation>Den Python-Code dieses Projekts ausführen?</translation>
    </message>
    <message>
        <source>It would run with all your rights: it can read, change and send your files. Trust it only if you know who wrote it.</source>
        <translation>Er liefe mit allen Ihren Rechten: Er kann Ihre Dateien lesen, ändern und versenden. Vertrauen Sie ihm nur, wenn Sie wissen, wer ihn geschrieben hat.</translation>
    </message>
    <message>
        <source>File of the project</source>
        <translation>Datei des Projekts</translation>
    </message>
    <message>
        <source>Code that would run</source>
        <translation>Code, der ausgeführt würde</translation>
    </message>
    <message>
        <source>Trust and run</source>
        <translation>Vertrauen und ausführen</translation>
    </message>
    <message>
        <source># compiled code, {count} bytes
# SHA-256 {digest}</source>
        <translation># übersetzter Code, {count} Byte
# SHA-256 {digest}</translation>
    </message>
    <message>
        <source>The search for unsaved changes of earlier runs</source>
        <translation>Die Suche nach ungespeicherten Änderungen früherer Läufe</translation>
    </message>
    <message>
        <source>Raybench ended unexpectedly. These unsaved changes can be recovered:</source>
        <translation>Raybench wurde unerwartet beendet. Diese ungespeicherten Änderungen können wiederhergestellt werden:</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Offer them again at the next start</source>
        <translation>Beim nächsten Start wieder anbieten</translation>
    </message>
    <message>
        <source>Recover all</source>
        <translation>Alle wiederherstellen</translation>
    </message>
    <message>
        <source>Open each of them in a tab</source>
        <translation>Jede davon in einem Tab öffnen</translation>
    </message>
    <message>
        <source>the damaged file</source>
        <translation>die beschädigte Datei</translation>
    </message>
    <message>
        <source>Discard the unsaved changes to {title}?</source>
        <translation>Die ungespeicherten Änderungen an {title} verwerfen?</translation>
    </message>
    <message>
        <source>{about}They cannot be brought back.</source>
        <translation>{about}Sie können nicht zurückgeholt werden.</translation>
    </message>
    <message>
        <source>Open it with its unsaved changes; its file is unchanged until you save</source>
        <translation>Mit den ungespeicherten Änderungen öffnen; die Datei bleibt unverändert, bis Sie speichern</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Delete these changes</source>
        <translation>Diese Änderungen löschen</translation>
    </message>
    <message>
        <source>A damaged recovery file: {fault}</source>
        <translation>Eine beschädigte Wiederherstellungsdatei: {fault}</translation>
    </message>
    <message>
        <source>, never saved</source>
        <translation>, nie gespeichert</translation>
    </message>
    <message>
        <source>{objects}, changed {time:%Y-%m-%d %H:%M:%S}</source>
        <translation>{objects}, geändert {time:%Y-%m-%d %H:%M:%S}</translation>
    </message>
    <message>
        <source>Scenes (*.json *.raybench);;Plain scenes (*.json);;Raybench documents (*.raybench);;All files (*)</source>
        <translation>Szenen (*.json *.raybench);;Einfache Szenen (*.json);;Raybench-Dokumente (*.raybench);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>{name} was changed on disk outside this window. Overwrite it?</source>
        <translation>{name} wurde außerhalb dieses Fensters geändert. Überschreiben?</translation>
    </message>
    <message>
        <source>The version on disk is then kept as {name}.</source>
        <translation>Die Fassung auf der Festplatte bleibt dann als {name} erhalten.</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>Überschreiben</translation>
    </message>
    <message>
        <source>Discard what is typed?</source>
        <translation>Die Eingabe verwerfen?</translation>
    </message>
    <message>
        <source>The scene cannot take it over: {value}</source>
        <translation>Die Szene kann es nicht übernehmen: {value}</translation>
    </message>
    <message>
        <source>Discard what is typed as JSON?</source>
        <translation>Die JSON-Eingabe verwerfen?</translation>
    </message>
    <message>
        <source>Save the scene as</source>
        <translation>Szene speichern unter</translation>
    </message>
    <message>
        <source>{name} already exists. Replace it?</source>
        <translation>{name} gibt es schon. Ersetzen?</translation>
    </message>
    <message>
        <source>Its present content is then kept as {name}.</source>
        <translation>Ihr jetziger Inhalt bleibt dann als {name} erhalten.</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Save as {suffix}</source>
        <translation>Als {suffix} speichern</translation>
    </message>
    <message>
        <source>{name} is a plain scene, which cannot hold everything. Save it nevertheless?</source>
        <translation>{name} ist eine einfache Szene, die nicht alles aufnehmen kann. Trotzdem speichern?</translation>
    </message>
    <message>
        <source>

A {suffix} file keeps everything.</source>
        <translation>

Eine {suffix}-Datei behält alles.</translation>
    </message>
    <message>
        <source>Save without</source>
        <translation>Ohne sie speichern</translation>
    </message>
    <message>
        <source>this scene</source>
        <translation>diese Szene</translation>
    </message>
    <message>
        <source>{name} no longer exists. Save it again?</source>
        <translation>{name} gibt es nicht mehr. Wieder speichern?</translation>
    </message>
    <message>
        <source>Save the changes to {name}?</source>
        <translation>Die Änderungen an {name} speichern?</translation>
    </message>
    <message>
        <source>The scene is lost if you discard it.</source>
        <translation>Die Szene geht verloren, wenn Sie sie verwerfen.</translation>
    </message>
    <message>
        <source>They are lost if you discard them.</source>
        <translation>Sie gehen verloren, wenn Sie sie verwerfen.</translation>
    </message>
    <message>
        <source>Checking the document&apos;s file</source>
        <translation>Die Prüfung der Datei des Dokuments</translation>
    </message>
    <message>
        <source>Saved studies</source>
        <translation>Studien</translation>
    </message>
    <message>
        <source>Save this study in the document, under a name</source>
        <translation>Diese Studie unter einem Namen im Dokument speichern</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Sichern…</translation>
    </message>
    <message>
        <source>Save study</source>
        <translation>Studie speichern</translation>
    </message>
    <message>
        <source>Name of the study</source>
        <translation>Name der Studie</translation>
    </message>
    <message>
        <source>A study needs a name.</source>
        <translation>Eine Studie braucht einen Namen.</translation>
    </message>
    <message>
        <source>Table as CSV (*.csv);;Table as npz (*.npz);;Table as JSON (*.json);;PNG picture (*.png);;SVG drawing (*.svg)</source>
        <translation>Tabelle als CSV (*.csv);;Tabelle als npz (*.npz);;Tabelle als JSON (*.json);;PNG-Bild (*.png);;SVG-Zeichnung (*.svg)</translation>
    </message>
    <message>
        <source>Write what is varied and what is measured, and press Enter.</source>
        <translation>Schreiben Sie, was variiert und was gemessen wird, und drücken Sie die Eingabetaste.</translation>
    </message>
    <message>
        <source>Write what may be varied and the goals, and press Enter.</source>
        <translation>Schreiben Sie, was variieren darf, und die Ziele, und drücken Sie die Eingabetaste.</translation>
    </message>
    <message>
        <source>Write by how much parts may be off and what is measured, and press Enter.</source>
        <translation>Schreiben Sie, wie weit Teile abweichen dürfen und was gemessen wird, und drücken Sie die Eingabetaste.</translation>
    </message>
    <message>
        <source>The scene has changed since; run the study again to apply a row.</source>
        <translation>Die Szene hat sich seitdem geändert; starten Sie die Studie neu, um eine Zeile anzuwenden.</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Measure that is plotted</source>
        <translation>Dargestelltes Maß</translation>
    </message>
    <message>
        <source>The trace</source>
        <translation>Die Strahlverfolgung</translation>
    </message>
    <message>
        <source>A study is running: stop it first</source>
        <translation>Eine Studie läuft: Halten Sie sie zuerst an</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Hält an…</translation>
    </message>
    <message>
        <source>{rows} of {count}, {left:.0f} s left</source>
        <translation>{rows} von {count}, noch {left:.0f} s</translation>
    </message>
    <message>
        <source>{evaluations} evaluations</source>
        <translation>{evaluations} Auswertungen</translation>
    </message>
    <message>
        <source>Done in {seconds:.1f} s</source>
        <translation>Fertig in {seconds:.1f} s</translation>
    </message>
    <message>
        <source>{rows} of {count} rows; stopped</source>
        <translation>{rows} von {count} Zeilen; angehalten</translation>
    </message>
    <message>
        <source>Export study</source>
        <translation>Studie exportieren</translation>
    </message>
    <message>
        <source>Keep this value</source>
        <translation>Diesen Wert behalten</translation>
    </message>
    <message>
        <source>Make the changes of the chosen row</source>
        <translation>Die Änderungen der gewählten Zeile ausführen</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>Schleife</translation>
    </message>
    <message>
        <source>Back and forth</source>
        <translation>Hin und her</translation>
    </message>
    <message>
        <source>Once</source>
        <translation>Einmal</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Play or pause (Space)</source>
        <translation>Abspielen oder anhalten (Leertaste)</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>A row back (Left)</source>
        <translation>Eine Zeile zurück (Links)</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>A row forward (Right)</source>
        <translation>Eine Zeile vor (Rechts)</translation>
    </message>
    <message>
        <source>Row of the film</source>
        <translation>Zeile des Films</translation>
    </message>
    <message>
        <source>Rows per second</source>
        <translation>Zeilen je Sekunde</translation>
    </message>
    <message>
        <source>Repetition</source>
        <translation>Wiederholung</translation>
    </message>
    <message>
        <source>Film…</source>
        <translation>Film…</translation>
    </message>
    <message>
        <source>Write a film: GIF, MP4 or PNG frames</source>
        <translation>Einen Film schreiben: GIF, MP4 oder PNG-Einzelbilder</translation>
    </message>
    <message>
        <source>Show the scene (Esc)</source>
        <translation>Die Szene zeigen (Esc)</translation>
    </message>
    <message>
        <source>Plot of the study</source>
        <translation>Diagramm der Studie</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Stichproben</translation>
    </message>
    <message>
        <source>best merit</source>
        <translation>bestes Gütemaß</translation>
    </message>
    <message>
        <source>Rows of the study</source>
        <translation>Zeilen der Studie</translation>
    </message>
    <message>
        <source>and {more} more lines</source>
        <translation>und {more} weitere Zeilen</translation>
    </message>
    <message>
        <source>{name} undefined</source>
        <translation>{name} nicht definiert</translation>
    </message>
    <message>
        <source>another path: {other}</source>
        <translation>ein anderer Weg: {other}</translation>
    </message>
    <message>
        <source>least {least} at {row}, most {most} at {other}</source>
        <translation>kleinster Wert {least} bei {row}, größter {most} bei {other}</translation>
    </message>
    <message>
        <source>, a range of {spread:.6g}{unit}</source>
        <translation>, ein Bereich von {spread:.6g}{unit}</translation>
    </message>
    <message>
        <source>{least} throughout</source>
        <translation>{least} durchweg</translation>
    </message>
    <message>
        <source>, not met</source>
        <translation>, nicht erreicht</translation>
    </message>
    <message>
        <source>Stopped; the best so far. </source>
        <translation>Angehalten; das bisher Beste. </translation>
    </message>
    <message>
        <source>{state}{evaluations} evaluations{number}{method}</source>
        <translation>{state}{evaluations} Auswertungen{number}{method}</translation>
    </message>
    <message>
        <source> (linear ± {change:.3g}{unit})</source>
        <translation> (linear ± {change:.3g}{unit})</translation>
    </message>
    <message>
        <source>   {words} alone: ± {change:.3g}{unit}</source>
        <translation>   {words} allein: ± {change:.3g}{unit}</translation>
    </message>
    <message>
        <source>yield, {of}: {number:.3g} % ({low:.3g} to {high:.3g} %)</source>
        <translation>Ausbeute, {of}: {number:.3g} % ({low:.3g} bis {high:.3g} %)</translation>
    </message>
    <message>
        <source>{what} failed ({why}). {remedy}</source>
        <translation>{what} ist gescheitert ({why}). {remedy}</translation>
    </message>
    <message>
        <source>Change what is varied or measured.</source>
        <translation>Ändern Sie, was variiert oder gemessen wird.</translation>
    </message>
    <message>
        <source>Nothing yet: File → Save as template…</source>
        <translation>Noch nichts: Datei → Als Vorlage speichern…</translation>
    </message>
    <message>
        <source>Save as template</source>
        <translation>Als Vorlage speichern</translation>
    </message>
    <message>
        <source>Name of the template</source>
        <translation>Name der Vorlage</translation>
    </message>
    <message>
        <source>A template cannot be named {name}: it becomes the name of a file. Use letters and digits.</source>
        <translation>Eine Vorlage kann nicht {name} heißen: Daraus wird ein Dateiname. Verwenden Sie Buchstaben und Ziffern.</translation>
    </message>
    <message>
        <source>There is a template {name} already.</source>
        <translation>Es gibt schon eine Vorlage {name}.</translation>
    </message>
    <message>
        <source>{taken} Replace it?</source>
        <translation>{taken} Ersetzen?</translation>
    </message>
    <message>
        <source>{taken} Give another name.</source>
        <translation>{taken} Geben Sie einen anderen Namen an.</translation>
    </message>
    <message>
        <source>The template was not saved: {error}</source>
        <translation>Die Vorlage wurde nicht gespeichert: {error}</translation>
    </message>
    <message>
        <source>The template was not saved: {reason}</source>
        <translation>Die Vorlage wurde nicht gespeichert: {reason}</translation>
    </message>
    <message>
        <source>Remove the template {name}? It cannot be brought back.</source>
        <translation>Die Vorlage {name} entfernen? Sie kann nicht zurückgeholt werden.</translation>
    </message>
    <message>
        <source>Remove template</source>
        <translation>Vorlage entfernen</translation>
    </message>
    <message>
        <source>The template was not removed: {reason}</source>
        <translation>Die Vorlage wurde nicht entfernt: {reason}</translation>
    </message>
    <message>
        <source>Stop tracing and keep the rays traced so far.</source>
        <translation>Die Strahlverfolgung anhalten und die bisherigen Strahlen behalten.</translation>
    </message>
    <message>
        <source> of at most {count}</source>
        <translation> von höchstens {count}</translation>
    </message>
    <message>
        <source>{segments} segments, {percent} of the light on its way</source>
        <translation>{segments} Segmente, {percent} des Lichts unterwegs</translation>
    </message>
    <message>
        <source>below {number:g} %</source>
        <translation>unter {number:g} %</translation>
    </message>
    <message>
        <source>{what} failed. {reason}</source>
        <translation>{what} ist gescheitert. {reason}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>It was cancelled; nothing was written.</source>
        <translation>Abgebrochen; nichts wurde geschrieben.</translation>
    </message>
    <message>
        <source>Choose a smaller size, or fewer rays.</source>
        <translation>Wählen Sie eine kleinere Größe oder weniger Strahlen.</translation>
    </message>
    <message>
        <source>The rays are those before the last change. Wait until the scene is traced.</source>
        <translation>Die Strahlen sind die von vor der letzten Änderung. Warten Sie, bis die Szene berechnet ist.</translation>
    </message>
    <message>
        <source>The scene is still being traced, so that rays are missing. Wait until it is traced, or stop the trace with Esc.</source>
        <translation>Die Szene wird noch berechnet, so dass Strahlen fehlen. Warten Sie, bis sie berechnet ist, oder halten Sie mit Esc an.</translation>
    </message>
    <message>
        <source>Compiling the tracing kernels, {percent:.0f} %</source>
        <translation>Die Rechenkerne werden übersetzt, {percent:.0f} %</translation>
    </message>
    <message>
        <source>Tracing failed: {name}: {error}. Undo the last change.</source>
        <translation>Die Strahlverfolgung ist gescheitert: {name}: {error}. Machen Sie die letzte Änderung rückgängig.</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>At most {most:,} rows can be copied. Export them to a file instead.</source>
        <translation>Höchstens {most:,} Zeilen können kopiert werden. Exportieren Sie sie stattdessen in eine Datei.</translation>
    </message>
    <message>
        <source>Scenes</source>
        <translation>Szenen</translation>
    </message>
    <message>
        <source>Close this tab</source>
        <translation>Diesen Tab schließen</translation>
    </message>
    <message>
        <source>Open a scene in a new tab</source>
        <translation>Eine Szene in einem neuen Tab öffnen</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>Unbenannt</translation>
    </message>
    <message>
        <source>(R2 + R1)/(R2 - R1): a meniscus beyond 1, with the steeper surface in front, and beyond -1, behind.</source>
        <translation>(R2 + R1)/(R2 - R1): ein Meniskus jenseits von 1, mit der steileren Fläche vorn, und jenseits von -1, hinten.</translation>
    </message>
    <message>
        <source>1/radius, positive if the centre is to the right. 0: a plane</source>
        <translation>1/Radius, positiv, wenn der Mittelpunkt rechts liegt. 0: eine Ebene</translation>
    </message>
    <message>
        <source>10 million</source>
        <translation>10 Millionen</translation>
    </message>
    <message>
        <source>A baffled telescope: black paint, and the sun beside its field</source>
        <translation>Ein Teleskop mit Blenden: schwarze Farbe, und die Sonne neben dem Feld</translation>
    </message>
    <message>
        <source>A beam splitter that reflects s and transmits p.</source>
        <translation>Ein Strahlteiler, der s reflektiert und p durchlässt.</translation>
    </message>
    <message>
        <source>A bent light guide: total reflection</source>
        <translation>Ein gebogener Lichtleiter: Totalreflexion</translation>
    </message>
    <message>
        <source>A body between two graphs, f(x) &lt; y &lt; g(x), where p1 is at x = -1 and p2 at x = 1.</source>
        <translation>Ein Körper zwischen zwei Graphen, f(x) &lt; y &lt; g(x), mit p1 bei x = -1 und p2 bei x = 1.</translation>
    </message>
    <message>
        <source>A body bounded by a closed chain of cubic Bezier curves.</source>
        <translation>Ein Körper, den eine geschlossene Kette kubischer Bézierkurven begrenzt.</translation>
    </message>
    <message>
        <source>A body bounded by closed parametric curves x(t), y(t).</source>
        <translation>Ein Körper, den geschlossene Parameterkurven x(t), y(t) begrenzen.</translation>
    </message>
    <message>
        <source>A camera lens: light reflected twice inside</source>
        <translation>Ein Objektiv: innen zweimal reflektiertes Licht</translation>
    </message>
    <message>
        <source>A cemented doublet with the same focus for red and blue, and hardly any spherical aberration.</source>
        <translation>Ein gekittetes Dublett mit gleichem Brennpunkt für Rot und Blau und kaum sphärischer Aberration.</translation>
    </message>
    <message>
        <source>A circle whose rim absorbs incident light.</source>
        <translation>Ein Kreis, dessen Rand auftreffendes Licht absorbiert.</translation>
    </message>
    <message>
        <source>A circle with divisions of angle.</source>
        <translation>Ein Kreis mit Winkelteilung.</translation>
    </message>
    <message>
        <source>A coin in water: apparent depth</source>
        <translation>Eine Münze im Wasser: scheinbare Tiefe</translation>
    </message>
    <message>
        <source>A custom surface in the form of a chain of cubic Bezier curves; t is the index of the curve plus its own parameter.</source>
        <translation>Eine eigene Fläche in Form einer Kette kubischer Bézierkurven; t ist die Nummer der Kurve plus ihr eigener Parameter.</translation>
    </message>
    <message>
        <source>A custom surface in the form of a circular arc; t runs from -1 at p1 to 1 at p2, linearly in the angle.</source>
        <translation>Eine eigene Fläche in Form eines Kreisbogens; t läuft von -1 bei p1 bis 1 bei p2, linear im Winkel.</translation>
    </message>
    <message>
        <source>A custom surface in the form of parametric curves x(t), y(t); t is the curves&apos; parameter. A one-sided surface acts on light that crosses it from the right, seen along increasing t.</source>
        <translation>Eine eigene Fläche in Form von Parameterkurven x(t), y(t); t ist der Parameter der Kurven. Eine einseitige Fläche wirkt auf Licht, das sie von rechts kreuzt, in Richtung wachsender t gesehen.</translation>
    </message>
    <message>
        <source>A dichroic mirror and a custom surface</source>
        <translation>Ein dichroitischer Spiegel und eine eigene Fläche</translation>
    </message>
    <message>
        <source>A family, or several in order; the program&apos;s own font is used where none is installed.</source>
        <translation>Eine Schriftfamilie, oder mehrere der Reihe nach; wo keine installiert ist, gilt die Schrift des Programms.</translation>
    </message>
    <message>
        <source>A flat mirror that reflects without loss on both sides.</source>
        <translation>Ein ebener Spiegel, der beidseitig verlustfrei reflektiert.</translation>
    </message>
    <message>
        <source>A flat mirror that transmits a fraction of the power.</source>
        <translation>Ein ebener Spiegel, der einen Teil der Leistung durchlässt.</translation>
    </message>
    <message>
        <source>A gradient-index body bounded by a closed chain of cubic Bezier curves.</source>
        <translation>Ein Körper mit Indexgradient, den eine geschlossene Kette kubischer Bézierkurven begrenzt.</translation>
    </message>
    <message>
        <source>A gradient-index body bounded by straight edges and circular arcs, such as a GRIN rod.</source>
        <translation>Ein Körper mit Indexgradient, den gerade Kanten und Kreisbögen begrenzen, etwa ein GRIN-Stab.</translation>
    </message>
    <message>
        <source>A lens array: one module, many lenses</source>
        <translation>Ein Linsenarray: ein Modul, viele Linsen</translation>
    </message>
    <message>
        <source>A lens with two spherical surfaces, given by its outline or by its rim and optical data.</source>
        <translation>Eine Linse mit zwei Kugelflächen, gegeben durch ihren Umriss oder durch Rand und optische Daten.</translation>
    </message>
    <message>
        <source>A line of text.</source>
        <translation>Eine Textzeile.</translation>
    </message>
    <message>
        <source>A line that absorbs incident light.</source>
        <translation>Eine Linie, die auftreffendes Licht absorbiert.</translation>
    </message>
    <message>
        <source>A line with or without arrow heads.</source>
        <translation>Eine Linie mit oder ohne Pfeilspitzen.</translation>
    </message>
    <message>
        <source>A locked object cannot be dragged. By default it is as the scene says.</source>
        <translation>Ein gesperrtes Objekt kann nicht gezogen werden. Ohne eigene Angabe gilt die der Szene.</translation>
    </message>
    <message>
        <source>A magnifier: a virtual image</source>
        <translation>Eine Lupe: ein virtuelles Bild</translation>
    </message>
    <message>
        <source>A mirror in the form of a chain of cubic Bezier curves.</source>
        <translation>Ein Spiegel in Form einer Kette kubischer Bézierkurven.</translation>
    </message>
    <message>
        <source>A mirror in the form of a circular arc.</source>
        <translation>Ein Spiegel in Form eines Kreisbogens.</translation>
    </message>
    <message>
        <source>A mirror in the form of parametric curves x(t), y(t).</source>
        <translation>Ein Spiegel in Form von Parameterkurven x(t), y(t).</translation>
    </message>
    <message>
        <source>A name of the catalogue of materials, such as N-BK7.</source>
        <translation>Ein Name aus dem Materialkatalog, etwa N-BK7.</translation>
    </message>
    <message>
        <source>A parabolic mirror whose axis is perpendicular to the line between its ends.</source>
        <translation>Ein Parabolspiegel, dessen Achse senkrecht auf der Linie zwischen seinen Enden steht.</translation>
    </message>
    <message>
        <source>A point on the arc, between its ends.</source>
        <translation>Ein Punkt auf dem Bogen zwischen seinen Enden.</translation>
    </message>
    <message>
        <source>A point on the boundary.</source>
        <translation>Ein Punkt auf der Grenze.</translation>
    </message>
    <message>
        <source>A point on the circle.</source>
        <translation>Ein Punkt auf dem Kreis.</translation>
    </message>
    <message>
        <source>A point that emits evenly in all directions.</source>
        <translation>Ein Punkt, der gleichmäßig in alle Richtungen strahlt.</translation>
    </message>
    <message>
        <source>A point that emits into an angle about the direction from ``p1`` to ``p2``.</source>
        <translation>Ein Punkt, der in einen Winkel um die Richtung von ``p1`` nach ``p2`` strahlt.</translation>
    </message>
    <message>
        <source>A prism, or two mirrors.</source>
        <translation>Ein Prisma oder zwei Spiegel.</translation>
    </message>
    <message>
        <source>A reflecting grating in the form of a circular arc, as in a Rowland spectrograph.</source>
        <translation>Ein reflektierendes Gitter in Form eines Kreisbogens, wie in einem Rowland-Spektrographen.</translation>
    </message>
    <message>
        <source>A remark; it names the element on the bench</source>
        <translation>Eine Bemerkung; sie benennt das Element auf der Bank</translation>
    </message>
    <message>
        <source>A round gradient-index body, such as a Luneburg lens.</source>
        <translation>Ein runder Körper mit Indexgradient, etwa eine Luneburg-Linse.</translation>
    </message>
    <message>
        <source>A scale with divisions.</source>
        <translation>Ein Maßstab mit Teilung.</translation>
    </message>
    <message>
        <source>A screen with an opening: it absorbs between each outer end and the corresponding end of the opening.</source>
        <translation>Ein Schirm mit einer Öffnung: Er absorbiert zwischen jedem äußeren Ende und dem zugehörigen Ende der Öffnung.</translation>
    </message>
    <message>
        <source>A solar trough: how well it must follow the sun</source>
        <translation>Eine Parabolrinne: wie gut sie der Sonne folgen muss</translation>
    </message>
    <message>
        <source>A source for each field and wavelength.</source>
        <translation>Eine Quelle für jedes Feld und jede Wellenlänge.</translation>
    </message>
    <message>
        <source>A spectrometer: grating, colours, sensor</source>
        <translation>Ein Spektrometer: Gitter, Farben, Sensor</translation>
    </message>
    <message>
        <source>A sphere; its focal length from the centre is n D / (4 (n - 1)).</source>
        <translation>Eine Kugel; ihre Brennweite ab der Mitte ist n D / (4 (n - 1)).</translation>
    </message>
    <message>
        <source>A straight custom surface; t runs from -1 at p1 to 1 at p2.</source>
        <translation>Eine gerade eigene Fläche; t läuft von -1 bei p1 bis 1 bei p2.</translation>
    </message>
    <message>
        <source>A straight or bent rod that keeps light by total reflection.</source>
        <translation>Ein gerader oder gebogener Stab, der Licht durch Totalreflexion führt.</translation>
    </message>
    <message>
        <source>A thin lens that images perfectly: 1/s + 1/s&apos; = 1/f for every ray (Hecht, section 5.2.3).</source>
        <translation>Eine dünne Linse, die vollkommen abbildet: 1/s + 1/s&apos; = 1/f für jeden Strahl (Hecht, Abschnitt 5.2.3).</translation>
    </message>
    <message>
        <source>A trace that needs more is partial.</source>
        <translation>Eine Strahlverfolgung, die mehr braucht, bleibt unvollständig.</translation>
    </message>
    <message>
        <source>A trace with more is partial.</source>
        <translation>Eine Strahlverfolgung mit mehr bleibt unvollständig.</translation>
    </message>
    <message>
        <source>A triplet by its prescription: aberrations, ghosts</source>
        <translation>Ein Triplet nach seinen Linsendaten: Abbildungsfehler, Geisterbilder</translation>
    </message>
    <message>
        <source>A whispering vault: from focus to focus</source>
        <translation>Ein Flüstergewölbe: von Brennpunkt zu Brennpunkt</translation>
    </message>
    <message>
        <source>A3 landscape</source>
        <translation>A3 quer</translation>
    </message>
    <message>
        <source>A3 portrait</source>
        <translation>A3 hoch</translation>
    </message>
    <message>
        <source>A4 landscape</source>
        <translation>A4 quer</translation>
    </message>
    <message>
        <source>A4 portrait</source>
        <translation>A4 hoch</translation>
    </message>
    <message>
        <source>About the centre, which stays.</source>
        <translation>Um die Mitte, die bleibt.</translation>
    </message>
    <message>
        <source>Absorption</source>
        <translation>Absorption</translation>
    </message>
    <message>
        <source>Absorption coefficient of the power, a formula like that of the index.</source>
        <translation>Absorptionskoeffizient der Leistung, eine Formel wie die der Brechzahl.</translation>
    </message>
    <message>
        <source>Achromat</source>
        <translation>Achromat</translation>
    </message>
    <message>
        <source>Achromatic</source>
        <translation>Achromatisch</translation>
    </message>
    <message>
        <source>Across it.</source>
        <translation>Quer dazu.</translation>
    </message>
    <message>
        <source>Act on light from both sides, not only on what crosses from the right of p1-p2.</source>
        <translation>Auf Licht von beiden Seiten wirken, nicht nur auf das, was von rechts von p1-p2 kreuzt.</translation>
    </message>
    <message>
        <source>Act on wavelengths outside the band instead.</source>
        <translation>Stattdessen auf Wellenlängen außerhalb des Bandes wirken.</translation>
    </message>
    <message>
        <source>Act only on wavelengths within the band.</source>
        <translation>Nur auf Wellenlängen im Band wirken.</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>Originalgröße</translation>
    </message>
    <message>
        <source>Added to every point of the curves.</source>
        <translation>Wird zu jedem Punkt der Kurven addiert.</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Align</source>
        <translation>Ausrichten</translation>
    </message>
    <message>
        <source>Alignment</source>
        <translation>Ausrichtung</translation>
    </message>
    <message>
        <source>All images</source>
        <translation>Alle Bilder</translation>
    </message>
    <message>
        <source>All rays are shown.</source>
        <translation>Alle Strahlen werden gezeigt.</translation>
    </message>
    <message>
        <source>Along its middle line.</source>
        <translation>Entlang seiner Mittellinie.</translation>
    </message>
    <message>
        <source>Also count light from the other side, as negative.</source>
        <translation>Licht von der anderen Seite mitzählen, als negativ.</translation>
    </message>
    <message>
        <source>An interferometer: light divided, and its fringes</source>
        <translation>Ein Interferometer: geteiltes Licht und seine Streifen</translation>
    </message>
    <message>
        <source>Anchor, downwards: the text&apos;s base line.</source>
        <translation>Anker, nach unten: die Grundlinie des Textes.</translation>
    </message>
    <message>
        <source>Anchor, to the right.</source>
        <translation>Anker, nach rechts.</translation>
    </message>
    <message>
        <source>Angle and power of each, as formulas.</source>
        <translation>Winkel und Leistung jedes Strahls als Formeln.</translation>
    </message>
    <message>
        <source>Angle between edges</source>
        <translation>Winkel zwischen Kanten</translation>
    </message>
    <message>
        <source>Angle between rays</source>
        <translation>Winkel zwischen Strahlen</translation>
    </message>
    <message>
        <source>Angle source</source>
        <translation>Winkelquelle</translation>
    </message>
    <message>
        <source>Another point on the boundary.</source>
        <translation>Ein weiterer Punkt auf der Grenze.</translation>
    </message>
    <message>
        <source>Any centred lens by its prescription; at first a triplet.</source>
        <translation>Eine beliebige zentrierte Linse nach ihren Linsendaten; zuerst ein Triplet.</translation>
    </message>
    <message>
        <source>Any other point on the ray.</source>
        <translation>Ein beliebiger weiterer Punkt auf dem Strahl.</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Arc mirror</source>
        <translation>Bogenspiegel</translation>
    </message>
    <message>
        <source>Arrange</source>
        <translation>Anordnen</translation>
    </message>
    <message>
        <source>Arrange</source>
        <comment>menu</comment>
        <translation>An&amp;ordnen</translation>
    </message>
    <message>
        <source>Arrow at the end</source>
        <translation>Pfeil am Ende</translation>
    </message>
    <message>
        <source>Arrow at the start</source>
        <translation>Pfeil am Anfang</translation>
    </message>
    <message>
        <source>Ask about the light</source>
        <translation>Nach dem Licht fragen</translation>
    </message>
    <message>
        <source>At rest, more rays are traced until the error of the plot, of powers where chance decides, and of the picture in colour modes other than the default is this part of them.</source>
        <translation>In Ruhe werden weitere Strahlen verfolgt, bis der Fehler des Diagramms, der Leistungen, über die der Zufall entscheidet, und des Bildes in anderen Farbmodi als dem üblichen dieser Teil davon ist.</translation>
    </message>
    <message>
        <source>Attach pictures…</source>
        <translation>Bilder anhängen…</translation>
    </message>
    <message>
        <source>waves</source>
        <translation>Wellen</translation>
    </message>
    <message>
        <source>relative pupil</source>
        <translation>relative Pupille</translation>
    </message>
    <message>
        <source>{up} ({unit})</source>
        <translation>{up} ({unit})</translation>
    </message>
    <message>
        <source>transverse</source>
        <translation>quer</translation>
    </message>
    <message>
        <source>Optical path difference</source>
        <translation>Optische Wegdifferenz</translation>
    </message>
    <message>
        <source>OPD</source>
        <translation>OPD</translation>
    </message>
    <message>
        <source>against the sphere about each colour&apos;s chief ray</source>
        <translation>gegen die Kugel um den Hauptstrahl jeder Farbe</translation>
    </message>
    <message>
        <source>Optical path difference, best sphere</source>
        <translation>Optische Wegdifferenz, beste Kugel</translation>
    </message>
    <message>
        <source>without tilt and defocus of each colour</source>
        <translation>ohne Kippung und Defokus jeder Farbe</translation>
    </message>
    <message>
        <source>focus ({unit})</source>
        <translation>Defokus ({unit})</translation>
    </message>
    <message>
        <source>RMS spot ({unit})</source>
        <translation>RMS-Bildfleck ({unit})</translation>
    </message>
    <message>
        <source>all colours; best focus of all fields {focus:+.4g} {unit}</source>
        <translation>alle Farben; bester Fokus aller Felder {focus:+.4g} {unit}</translation>
    </message>
    <message>
        <source>from the paraxial image at {wavelength}</source>
        <translation>vom paraxialen Bild bei {wavelength}</translation>
    </message>
    <message>
        <source>paraxial, from the image at {wavelength}</source>
        <translation>paraxial, vom Bild bei {wavelength}</translation>
    </message>
    <message>
        <source>Axial colour</source>
        <translation>Farblängsfehler</translation>
    </message>
    <message>
        <source>chief ray ({unit})</source>
        <translation>Hauptstrahl ({unit})</translation>
    </message>
    <message>
        <source>from the chief ray at {wavelength}</source>
        <translation>vom Hauptstrahl bei {wavelength}</translation>
    </message>
    <message>
        <source>Field curvature and distortion</source>
        <translation>Bildfeldwölbung und Verzeichnung</translation>
    </message>
    <message>
        <source>Field curvature</source>
        <translation>Bildfeldwölbung</translation>
    </message>
    <message>
        <source>Distortion</source>
        <translation>Verzeichnung</translation>
    </message>
    <message>
        <source>distortion (%)</source>
        <translation>Verzeichnung (%)</translation>
    </message>
    <message>
        <source>T: tangential</source>
        <translation>T: tangential</translation>
    </message>
    <message>
        <source>S: sagittal, by Coddington</source>
        <translation>S: sagittal, nach Coddington</translation>
    </message>
    <message>
        <source>open part of the pupil&apos;s section (%)</source>
        <translation>freier Teil des Pupillenschnitts (%)</translation>
    </message>
    <message>
        <source>Wavefront</source>
        <translation>Wellenfront</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>RMS</translation>
    </message>
    <message>
        <source>RMS (waves)</source>
        <translation>RMS (Wellen)</translation>
    </message>
    <message>
        <source>Strehl ratio</source>
        <translation>Strehl-Zahl</translation>
    </message>
    <message>
        <source>best sphere</source>
        <translation>beste Kugel</translation>
    </message>
    <message>
        <source>sphere about the chief ray</source>
        <translation>Kugel um den Hauptstrahl</translation>
    </message>
    <message>
        <source>of the tangential section, {wavelength}</source>
        <translation>des Tangentialschnitts, {wavelength}</translation>
    </message>
    <message>
        <source>surface</source>
        <translation>Fläche</translation>
    </message>
    <message>
        <source>Seidel sum ({unit})</source>
        <translation>Seidelsumme ({unit})</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>diffraction limit</source>
        <translation>Beugungsgrenze</translation>
    </message>
    <message>
        <source>frequency (lines/{unit})</source>
        <translation>Frequenz (Linien/{unit})</translation>
    </message>
    <message>
        <source>modulation</source>
        <translation>Modulation</translation>
    </message>
    <message>
        <source>MTF, tangential</source>
        <translation>MTF, tangential</translation>
    </message>
    <message>
        <source>rays, all colours</source>
        <translation>Strahlen, alle Farben</translation>
    </message>
    <message>
        <source>of the tangential pupil function, as of a slit along the section</source>
        <translation>der tangentialen Pupillenfunktion, wie von einem Spalt entlang des Schnitts</translation>
    </message>
    <message>
        <source>modulation at {frequency:g} lines/{unit}</source>
        <translation>Modulation bei {frequency:g} Linien/{unit}</translation>
    </message>
    <message>
        <source>MTF through focus, tangential</source>
        <translation>MTF über Defokus, tangential</translation>
    </message>
    <message>
        <source>diffraction, {wavelength}, tangential pupil function</source>
        <translation>Beugung, {wavelength}, tangentiale Pupillenfunktion</translation>
    </message>
    <message>
        <source>from the chief ray ({unit})</source>
        <translation>vom Hauptstrahl ({unit})</translation>
    </message>
    <message>
        <source>irradiance (1/{unit})</source>
        <translation>Bestrahlungsstärke (1/{unit})</translation>
    </message>
    <message>
        <source>Line spread function, tangential</source>
        <translation>Linienbildfunktion, tangential</translation>
    </message>
    <message>
        <source>areas are 1</source>
        <translation>Flächen sind 1</translation>
    </message>
    <message>
        <source>field curvature: T solid, S dashed; MTF: diffraction solid, rays dashed</source>
        <translation>Bildfeldwölbung: T durchgezogen, S gestrichelt; MTF: Beugung durchgezogen, Strahlen gestrichelt</translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>Achse</translation>
    </message>
    <message>
        <source>Azimuth</source>
        <translation>Azimut</translation>
    </message>
    <message>
        <source>Azimuth of polarization</source>
        <translation>Azimut der Polarisation</translation>
    </message>
    <message>
        <source>Azimuth of the fast axis. 0 is perpendicular to the drawing (s), 90 in it (p); counter-clockwise, looking into the light of a beam with the same ends.</source>
        <translation>Azimut der schnellen Achse. 0 ist senkrecht zur Zeichnung (s), 90 in ihr (p); gegen den Uhrzeigersinn, dem Licht eines Bündels mit denselben Enden entgegen gesehen.</translation>
    </message>
    <message>
        <source>Azimuth of the transmitted light. 0 is perpendicular to the drawing (s), 90 in it (p); counter-clockwise, looking into the light of a beam with the same ends.</source>
        <translation>Azimut des durchgelassenen Lichts. 0 ist senkrecht zur Zeichnung (s), 90 in ihr (p); gegen den Uhrzeigersinn, dem Licht eines Bündels mit denselben Enden entgegen gesehen.</translation>
    </message>
    <message>
        <source>Background picture…</source>
        <translation>Hintergrundbild…</translation>
    </message>
    <message>
        <source>Ball lens</source>
        <translation>Kugellinse</translation>
    </message>
    <message>
        <source>Band centre</source>
        <translation>Bandmitte</translation>
    </message>
    <message>
        <source>Base angle</source>
        <translation>Basiswinkel</translation>
    </message>
    <message>
        <source>Beam</source>
        <translation>Bündel</translation>
    </message>
    <message>
        <source>Beam expander</source>
        <translation>Strahlaufweiter</translation>
    </message>
    <message>
        <source>Beam splitter</source>
        <translation>Strahlteiler</translation>
    </message>
    <message>
        <source>Bend</source>
        <translation>Biegung</translation>
    </message>
    <message>
        <source>Between its faces.</source>
        <translation>Zwischen seinen Flächen.</translation>
    </message>
    <message>
        <source>Between the base and each of the inclined faces.</source>
        <translation>Zwischen der Basis und jeder der schrägen Flächen.</translation>
    </message>
    <message>
        <source>Bezier</source>
        <translation>Bézier</translation>
    </message>
    <message>
        <source>Biconvex lens</source>
        <translation>Bikonvexlinse</translation>
    </message>
    <message>
        <source>Bin size</source>
        <translation>Klassenbreite</translation>
    </message>
    <message>
        <source>Bins count from here; with it above the second end, light going right counts as positive.</source>
        <translation>Klassen zählen von hier; liegt es über dem zweiten Ende, zählt Licht nach rechts positiv.</translation>
    </message>
    <message>
        <source>Block light that passes beside the glasses, beyond their rims.</source>
        <translation>Licht abhalten, das neben den Gläsern vorbeigeht, jenseits ihrer Ränder.</translation>
    </message>
    <message>
        <source>Blocker</source>
        <translation>Absorber</translation>
    </message>
    <message>
        <source>Blockers</source>
        <translation>Absorber</translation>
    </message>
    <message>
        <source>Bold</source>
        <translation>Fett</translation>
    </message>
    <message>
        <source>Bold Italic</source>
        <translation>Fett kursiv</translation>
    </message>
    <message>
        <source>Bold Oblique</source>
        <translation>Fett geneigt</translation>
    </message>
    <message>
        <source>Both surfaces bend to the same side, as its shape factor says.</source>
        <translation>Beide Flächen sind zur gleichen Seite gebogen, wie ihr Formfaktor sagt.</translation>
    </message>
    <message>
        <source>Bottom right corner</source>
        <translation>Ecke unten rechts</translation>
    </message>
    <message>
        <source>Bottom sides</source>
        <translation>Unterkanten</translation>
    </message>
    <message>
        <source>Break module up</source>
        <translation>Modul auflösen</translation>
    </message>
    <message>
        <source>Bring forward</source>
        <translation>Eine Ebene nach vorn</translation>
    </message>
    <message>
        <source>Bring to front</source>
        <translation>Ganz nach vorn</translation>
    </message>
    <message>
        <source>By intensity</source>
        <translation>Intensität</translation>
    </message>
    <message>
        <source>By which it turns, upwards where it is positive; 0 is straight.</source>
        <translation>Um den er sich dreht, nach oben, wo er positiv ist; 0 ist gerade.</translation>
    </message>
    <message>
        <source>Callout</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Cauchy B</source>
        <translation>Cauchy B</translation>
    </message>
    <message>
        <source>Centre</source>
        <translation>Mitte</translation>
    </message>
    <message>
        <source>Centre of the circle.</source>
        <translation>Mitte des Kreises.</translation>
    </message>
    <message>
        <source>Centre of the filter&apos;s band.</source>
        <translation>Mitte des Filterbands.</translation>
    </message>
    <message>
        <source>Centre x</source>
        <translation>Mitte x</translation>
    </message>
    <message>
        <source>Centre y</source>
        <translation>Mitte y</translation>
    </message>
    <message>
        <source>Centres</source>
        <translation>Mitten</translation>
    </message>
    <message>
        <source>Centres of curvature</source>
        <translation>Krümmungsmittelpunkte</translation>
    </message>
    <message>
        <source>Centres, on a horizontal line</source>
        <translation>Mitten, auf einer Waagerechten</translation>
    </message>
    <message>
        <source>Centres, on a vertical line</source>
        <translation>Mitten, auf einer Senkrechten</translation>
    </message>
    <message>
        <source>Circle GRIN glass</source>
        <translation>GRIN-Kreisglas</translation>
    </message>
    <message>
        <source>Circle blocker</source>
        <translation>Kreisabsorber</translation>
    </message>
    <message>
        <source>Circle glass</source>
        <translation>Kreisglas</translation>
    </message>
    <message>
        <source>Circular light turns clockwise (right) for somebody into whose eye it falls.</source>
        <translation>Zirkulares Licht dreht sich im Uhrzeigersinn (rechts) für den, in dessen Auge es fällt.</translation>
    </message>
    <message>
        <source>Circular polarization</source>
        <translation>Zirkulare Polarisation</translation>
    </message>
    <message>
        <source>Closed</source>
        <translation>Geschlossen</translation>
    </message>
    <message>
        <source>Coating</source>
        <translation>Beschichtung</translation>
    </message>
    <message>
        <source>Coefficient of y² of the sag</source>
        <translation>Koeffizient von y² der Pfeilhöhe</translation>
    </message>
    <message>
        <source>Coefficient of y²⁰ of the sag</source>
        <translation>Koeffizient von y²⁰ der Pfeilhöhe</translation>
    </message>
    <message>
        <source>Coefficient of y¹² of the sag</source>
        <translation>Koeffizient von y¹² der Pfeilhöhe</translation>
    </message>
    <message>
        <source>Coefficient of y¹⁰ of the sag</source>
        <translation>Koeffizient von y¹⁰ der Pfeilhöhe</translation>
    </message>
    <message>
        <source>Coefficient of y¹⁴ of the sag</source>
        <translation>Koeffizient von y¹⁴ der Pfeilhöhe</translation>
    </message>
    <message>
        <source>Coefficient of y¹⁶ of the sag</source>
        <translation>Koeffizient von y¹⁶ der Pfeilhöhe</translation>
    </message>
    <message>
        <source>Coefficient of y¹⁸ of the sag</source>
        <translation>Koeffizient von y¹⁸ der Pfeilhöhe</translation>
    </message>
    <message>
        <source>Coefficient of y⁴ of the sag</source>
        <translation>Koeffizient von y⁴ der Pfeilhöhe</translation>
    </message>
    <message>
        <source>Coefficient of y⁶ of the sag</source>
        <translation>Koeffizient von y⁶ der Pfeilhöhe</translation>
    </message>
    <message>
        <source>Coefficient of y⁸ of the sag</source>
        <translation>Koeffizient von y⁸ der Pfeilhöhe</translation>
    </message>
    <message>
        <source>Coherence group</source>
        <translation>Kohärenzgruppe</translation>
    </message>
    <message>
        <source>Coherence length</source>
        <translation>Kohärenzlänge</translation>
    </message>
    <message>
        <source>Colour mode</source>
        <translation>Farbmodus</translation>
    </message>
    <message>
        <source>Colour rays by</source>
        <translation>Strahlen färben nach</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>Kommentar</translation>
    </message>
    <message>
        <source>Compare with an open scene</source>
        <translation>Mit geöffneter Szene vergleichen</translation>
    </message>
    <message>
        <source>Compare with file…</source>
        <translation>Mit Datei vergleichen…</translation>
    </message>
    <message>
        <source>Concave grating</source>
        <translation>Konkavgitter</translation>
    </message>
    <message>
        <source>Conic</source>
        <translation>Kon. Konst.</translation>
    </message>
    <message>
        <source>Conic constant: 0 for a sphere, -1 for a parabola</source>
        <translation>Konische Konstante: 0 für eine Kugel, -1 für eine Parabel</translation>
    </message>
    <message>
        <source>Console</source>
        <translation>Konsole</translation>
    </message>
    <message>
        <source>Control points</source>
        <translation>Kontrollpunkte</translation>
    </message>
    <message>
        <source>Copy a client&apos;s configuration</source>
        <translation>Konfiguration eines Clients kopieren</translation>
    </message>
    <message>
        <source>Copy a configuration with this run&apos;s token</source>
        <translation>Konfiguration mit dem Token dieses Laufs kopieren</translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation>Diagnose kopieren</translation>
    </message>
    <message>
        <source>Copy link to the scene</source>
        <translation>Link zur Szene kopieren</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Corner cube</source>
        <translation>Tripelspiegel</translation>
    </message>
    <message>
        <source>Corners in order; a vertex marked arc bends the side between its neighbours.</source>
        <translation>Ecken der Reihe nach; ein als Bogen markierter Punkt biegt die Seite zwischen seinen Nachbarn.</translation>
    </message>
    <message>
        <source>Counter-clockwise, looking into the light.</source>
        <translation>Gegen den Uhrzeigersinn, dem Licht entgegen gesehen.</translation>
    </message>
    <message>
        <source>Crop box</source>
        <translation>Ausschnittrahmen</translation>
    </message>
    <message>
        <source>Crown</source>
        <translation>Kron</translation>
    </message>
    <message>
        <source>Crown thickness</source>
        <translation>Dicke des Kronglases</translation>
    </message>
    <message>
        <source>Curvature</source>
        <translation>Krümmung</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>Kurve</translation>
    </message>
    <message>
        <source>Curve GRIN glass</source>
        <translation>GRIN-Kurvenglas</translation>
    </message>
    <message>
        <source>Curve glass</source>
        <translation>Kurvenglas</translation>
    </message>
    <message>
        <source>Curve mirror</source>
        <translation>Kurvenspiegel</translation>
    </message>
    <message>
        <source>Curve type</source>
        <translation>Kurvenart</translation>
    </message>
    <message>
        <source>Custom arc surface</source>
        <translation>Eigene Bogenfläche</translation>
    </message>
    <message>
        <source>Custom curve surface</source>
        <translation>Eigene Kurvenfläche</translation>
    </message>
    <message>
        <source>Custom orders</source>
        <translation>Eigene Ordnungen</translation>
    </message>
    <message>
        <source>Custom parametric surface</source>
        <translation>Eigene Parameterfläche</translation>
    </message>
    <message>
        <source>Custom surface</source>
        <translation>Eigene Fläche</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>Ausschneiden</translation>
    </message>
    <message>
        <source>DOP</source>
        <translation>Pol.-Grad</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Dark</source>
        <comment>Theme</comment>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Dash-dotted</source>
        <translation>Strichpunktiert</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Defined by</source>
        <translation>Festgelegt durch</translation>
    </message>
    <message>
        <source>Degree of polarization</source>
        <translation>Polarisationsgrad</translation>
    </message>
    <message>
        <source>Delay across the fast axis: 0.25 of a quarter-wave plate.</source>
        <translation>Verzögerung quer zur schnellen Achse: 0,25 bei einer Viertelwellenplatte.</translation>
    </message>
    <message>
        <source>Design wavelength</source>
        <translation>Entwurfswellenlänge</translation>
    </message>
    <message>
        <source>Detector</source>
        <translation>Detektor</translation>
    </message>
    <message>
        <source>Deviates a beam downwards by about (n - 1) times its angle.</source>
        <translation>Lenkt ein Bündel nach unten ab, um etwa (n - 1) mal seinen Winkel.</translation>
    </message>
    <message>
        <source>Diameter</source>
        <translation>Durchmesser</translation>
    </message>
    <message>
        <source>Difference of path at which the contrast of fringes has fallen to 1/e; empty for no limit.</source>
        <translation>Wegunterschied, bei dem der Kontrast der Streifen auf 1/e gefallen ist; leer für keine Grenze.</translation>
    </message>
    <message>
        <source>Dimension line</source>
        <translation>Maßlinie</translation>
    </message>
    <message>
        <source>Direction point</source>
        <translation>Richtungspunkt</translation>
    </message>
    <message>
        <source>Directions of others</source>
        <translation>Richtungen anderer</translation>
    </message>
    <message>
        <source>Dispersion: n = A + B/λ², where colours are simulated.</source>
        <translation>Dispersion: n = A + B/λ², wo Farben simuliert werden.</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Distance of the corners of a polygonal graph, in its line&apos;s direction, whatever the length scale of the scene.</source>
        <translation>Abstand der Ecken eines polygonalen Graphen in Richtung seiner Linie, unabhängig vom Längenmaßstab der Szene.</translation>
    </message>
    <message>
        <source>Distance to the next surface along the axis, negative to the left</source>
        <translation>Abstand zur nächsten Fläche entlang der Achse, negativ nach links</translation>
    </message>
    <message>
        <source>Distribute horizontally</source>
        <translation>Waagerecht verteilen</translation>
    </message>
    <message>
        <source>Distribute vertically</source>
        <translation>Senkrecht verteilen</translation>
    </message>
    <message>
        <source>Divergence</source>
        <translation>Divergenz</translation>
    </message>
    <message>
        <source>Division</source>
        <translation>Teilung</translation>
    </message>
    <message>
        <source>Dove prism</source>
        <translation>Dove-Prisma</translation>
    </message>
    <message>
        <source>Draw several objects of a kind one after another; Esc leaves the tool.</source>
        <translation>Mehrere Objekte einer Art nacheinander zeichnen; Esc verlässt das Werkzeug.</translation>
    </message>
    <message>
        <source>Drawing</source>
        <translation>Zeichnen</translation>
    </message>
    <message>
        <source>Earlier conversations</source>
        <translation>Frühere Gespräche</translation>
    </message>
    <message>
        <source>Edges and distances</source>
        <translation>Kanten und Abstände</translation>
    </message>
    <message>
        <source>Edit</source>
        <comment>menu</comment>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>Ellipticity</source>
        <translation>Elliptizität</translation>
    </message>
    <message>
        <source>Emission angle</source>
        <translation>Abstrahlwinkel</translation>
    </message>
    <message>
        <source>Emitted power: 500 of these to the full circle.</source>
        <translation>Abgestrahlte Leistung: 500 davon auf den Vollkreis.</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Entrance pupil diameter</source>
        <translation>Durchmesser der Eintrittspupille</translation>
    </message>
    <message>
        <source>Equation glass</source>
        <translation>Formelglas</translation>
    </message>
    <message>
        <source>Equation mirror</source>
        <translation>Formelspiegel</translation>
    </message>
    <message>
        <source>Equilateral prism</source>
        <translation>Gleichseitiges Prisma</translation>
    </message>
    <message>
        <source>Error of refined light</source>
        <translation>Fehler verfeinerten Lichts</translation>
    </message>
    <message>
        <source>Export figure…</source>
        <translation>Abbildung exportieren…</translation>
    </message>
    <message>
        <source>Export lens…</source>
        <translation>Linse exportieren…</translation>
    </message>
    <message>
        <source>Extended rays</source>
        <translation>Verlängerte</translation>
    </message>
    <message>
        <source>Faraday</source>
        <translation>Faraday</translation>
    </message>
    <message>
        <source>Fast axis</source>
        <translation>Schnelle Achse</translation>
    </message>
    <message>
        <source>Freehand strokes, each stored as a flat list x, y, x, y ...</source>
        <translation>Freihandstriche, jeder als flache Liste x, y, x, y ...</translation>
    </message>
    <message>
        <source>Full width of the arriving light along the line: the distance between the outermost rays, or the rim rays of the source where they arrive on the same path.</source>
        <translation>Volle Breite des ankommenden Lichts entlang der Linie: der Abstand der äußersten Strahlen, oder der Randstrahlen der Quelle, wo sie auf demselben Weg ankommen.</translation>
    </message>
    <message>
        <source>Graded index: Luneburg&apos;s lens and a rod</source>
        <translation>Gradientenindex: Luneburg-Linse und Stab</translation>
    </message>
    <message>
        <source>Half the clear aperture. Empty: as much as the light of the fields needs</source>
        <translation>Halber freier Durchmesser. Leer: so viel, wie das Licht der Felder braucht</translation>
    </message>
    <message>
        <source>Image f-number</source>
        <translation>Bildseitige Blendenzahl</translation>
    </message>
    <message>
        <source>Newton&apos;s telescope: parabola and flat mirror</source>
        <translation>Newton-Teleskop: Parabol- und Planspiegel</translation>
    </message>
    <message>
        <source>Object numerical aperture</source>
        <translation>Objektseitige numerische Apertur</translation>
    </message>
    <message>
        <source>Polarization: an isolator and a Fresnel rhomb</source>
        <translation>Polarisation: ein Isolator und ein Fresnel-Rhombus</translation>
    </message>
    <message>
        <source>Radius of curvature, positive if the centre is to the right. Empty or ∞: a plane</source>
        <translation>Krümmungsradius, positiv, wenn der Mittelpunkt rechts liegt. Leer oder ∞: eine Ebene</translation>
    </message>
    <message>
        <source>Semi-diameter</source>
        <translation>Halbmesser</translation>
    </message>
    <message>
        <source>Study: a lamp and a light guide</source>
        <translation>Studie: eine Lampe und ein Lichtleiter</translation>
    </message>
    <message>
        <source>Study: a prism at minimum deviation</source>
        <translation>Studie: ein Prisma im Minimum der Ablenkung</translation>
    </message>
    <message>
        <source>Study: a telescope, focused to infinity</source>
        <translation>Studie: ein Fernrohr, auf unendlich gestellt</translation>
    </message>
    <message>
        <source>Study: a window at Brewster&apos;s angle</source>
        <translation>Studie: ein Fenster unter dem Brewster-Winkel</translation>
    </message>
    <message>
        <source>Study: an achromat of two glasses</source>
        <translation>Studie: ein Achromat aus zwei Gläsern</translation>
    </message>
    <message>
        <source>Study: how well a periscope must be mounted</source>
        <translation>Studie: wie genau ein Periskop montiert sein muss</translation>
    </message>
    <message>
        <source>Study: the best form of a lens</source>
        <translation>Studie: die beste Form einer Linse</translation>
    </message>
    <message>
        <source>The camera lens coated: what is left of its ghosts</source>
        <translation>Das Objektiv vergütet: was von den Geisterbildern bleibt</translation>
    </message>
    <message>
        <source>The frame of an exported picture. The frame may also limit the number of traced rays.</source>
        <translation>Der Rahmen eines exportierten Bildes. Er kann auch die Zahl der verfolgten Strahlen begrenzen.</translation>
    </message>
    <message>
        <source>The medium behind the surface: a name of the catalogue, or index/Abbe number such as 1.62/60.3, or mirror. Empty: air</source>
        <translation>Das Medium hinter der Fläche: ein Name des Katalogs, oder Brechzahl/Abbe-Zahl wie 1.62/60.3, oder Spiegel. Leer: Luft</translation>
    </message>
    <message>
        <source>The rainbow: dispersion and reflection in a drop</source>
        <translation>Der Regenbogen: Dispersion und Reflexion im Tropfen</translation>
    </message>
    <message>
        <source>aligned</source>
        <translation>ausgerichtet</translation>
    </message>
    <message>
        <source>astigmatism</source>
        <comment>operand</comment>
        <translation>Astigmatismus</translation>
    </message>
    <message>
        <source>axial colour</source>
        <comment>operand</comment>
        <translation>Farblängsfehler</translation>
    </message>
    <message>
        <source>back focus</source>
        <comment>operand</comment>
        <translation>Schnittweite</translation>
    </message>
    <message>
        <source>centre of curvature</source>
        <translation>Krümmungsmittelpunkt</translation>
    </message>
    <message>
        <source>centre thickness</source>
        <comment>operand</comment>
        <translation>Mittendicke</translation>
    </message>
    <message>
        <source>chief height</source>
        <comment>operand</comment>
        <translation>Hauptstrahlhöhe</translation>
    </message>
    <message>
        <source>coma</source>
        <comment>operand</comment>
        <translation>Koma</translation>
    </message>
    <message>
        <source>distortion</source>
        <comment>operand</comment>
        <translation>Verzeichnung</translation>
    </message>
    <message>
        <source>edge</source>
        <translation>Kante</translation>
    </message>
    <message>
        <source>edge thickness</source>
        <comment>operand</comment>
        <translation>Randdicke</translation>
    </message>
    <message>
        <source>entrance pupil</source>
        <comment>operand</comment>
        <translation>Eintrittspupille</translation>
    </message>
    <message>
        <source>exit pupil</source>
        <comment>operand</comment>
        <translation>Austrittspupille</translation>
    </message>
    <message>
        <source>f-number</source>
        <comment>operand</comment>
        <translation>Blendenzahl</translation>
    </message>
    <message>
        <source>focal length</source>
        <comment>operand</comment>
        <translation>Brennweite</translation>
    </message>
    <message>
        <source>focus</source>
        <translation>Brennpunkt</translation>
    </message>
    <message>
        <source>image distance</source>
        <comment>operand</comment>
        <translation>Bildabstand</translation>
    </message>
    <message>
        <source>intersection</source>
        <translation>Schnittpunkt</translation>
    </message>
    <message>
        <source>lateral colour</source>
        <comment>operand</comment>
        <translation>Farbquerfehler</translation>
    </message>
    <message>
        <source>magnification</source>
        <comment>operand</comment>
        <translation>Abbildungsmaßstab</translation>
    </message>
    <message>
        <source>midpoint</source>
        <translation>Mittelpunkt</translation>
    </message>
    <message>
        <source>mtf</source>
        <comment>operand</comment>
        <translation>MTF</translation>
    </message>
    <message>
        <source>optical path from the source to its end, the sum of index times length; none for an escaped ray</source>
        <translation>Optischer Weg von der Quelle bis zu seinem Ende, die Summe aus Brechzahl mal Länge; keiner für einen entwichenen Strahl</translation>
    </message>
    <message>
        <source>parallel</source>
        <translation>Parallele</translation>
    </message>
    <message>
        <source>path differences</source>
        <comment>operand</comment>
        <translation>Wegdifferenzen</translation>
    </message>
    <message>
        <source>petzval</source>
        <comment>operand</comment>
        <translation>Petzval-Summe</translation>
    </message>
    <message>
        <source>power</source>
        <comment>operand</comment>
        <translation>Brechkraft</translation>
    </message>
    <message>
        <source>power of both polarisations together</source>
        <translation>Leistung beider Polarisationen zusammen</translation>
    </message>
    <message>
        <source>ray</source>
        <translation>Strahl</translation>
    </message>
    <message>
        <source>ray heights</source>
        <comment>operand</comment>
        <translation>Strahlhöhen</translation>
    </message>
    <message>
        <source>ray hit</source>
        <translation>Auftreffpunkt</translation>
    </message>
    <message>
        <source>revision and row: what answers and the chat call this segment</source>
        <translation>Revision und Zeile: so nennen Antworten und der Chat dieses Segment</translation>
    </message>
    <message>
        <source>rms spot</source>
        <comment>operand</comment>
        <translation>RMS-Bildfleck</translation>
    </message>
    <message>
        <source>rms wavefront</source>
        <comment>operand</comment>
        <translation>RMS-Wellenfront</translation>
    </message>
    <message>
        <source>sagittal field</source>
        <comment>operand</comment>
        <translation>sagittale Bildschale</translation>
    </message>
    <message>
        <source>segment limit</source>
        <translation>Segmentgrenze</translation>
    </message>
    <message>
        <source>seidel distortion</source>
        <comment>operand</comment>
        <translation>Seidel-Verzeichnung</translation>
    </message>
    <message>
        <source>semi-diameter</source>
        <comment>operand</comment>
        <translation>Halbmesser</translation>
    </message>
    <message>
        <source>spherical</source>
        <comment>operand</comment>
        <translation>sphärische Aberration</translation>
    </message>
    <message>
        <source>tangential field</source>
        <comment>operand</comment>
        <translation>tangentiale Bildschale</translation>
    </message>
    <message>
        <source>total length</source>
        <comment>operand</comment>
        <translation>Gesamtlänge</translation>
    </message>
    <message>
        <source>vacuum wavelength, where colours are simulated</source>
        <translation>Vakuumwellenlänge, wo Farben simuliert werden</translation>
    </message>
    <message>
        <source>y²</source>
        <translation>y²</translation>
    </message>
    <message>
        <source>y²⁰</source>
        <translation>y²⁰</translation>
    </message>
    <message>
        <source>y¹²</source>
        <translation>y¹²</translation>
    </message>
    <message>
        <source>y¹⁰</source>
        <translation>y¹⁰</translation>
    </message>
    <message>
        <source>y¹⁴</source>
        <translation>y¹⁴</translation>
    </message>
    <message>
        <source>y¹⁶</source>
        <translation>y¹⁶</translation>
    </message>
    <message>
        <source>y¹⁸</source>
        <translation>y¹⁸</translation>
    </message>
    <message>
        <source>y⁴</source>
        <translation>y⁴</translation>
    </message>
    <message>
        <source>y⁶</source>
        <translation>y⁶</translation>
    </message>
    <message>
        <source>y⁸</source>
        <translation>y⁸</translation>
    </message>
    <message>
        <source>{word} of {name}</source>
        <translation>{name}: {word}</translation>
    </message>
    <message>
        <source>{word} on {name}</source>
        <translation>{name}: {word}</translation>
    </message>
    <message>
        <source>{word} to {name}</source>
        <translation>{word} zu {name}</translation>
    </message>
    <message>
        <source>λ</source>
        <translation>λ</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Find an action…</source>
        <translation>Aktion suchen…</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Oberfläche</translation>
    </message>
    <message>
        <source>First end</source>
        <translation>Erstes Ende</translation>
    </message>
    <message>
        <source>First end of the opening</source>
        <translation>Erstes Ende der Öffnung</translation>
    </message>
    <message>
        <source>First outer end</source>
        <translation>Erstes äußeres Ende</translation>
    </message>
    <message>
        <source>First point</source>
        <translation>Erster Punkt</translation>
    </message>
    <message>
        <source>First rim</source>
        <translation>Erster Rand</translation>
    </message>
    <message>
        <source>Fit scene</source>
        <translation>Szene einpassen</translation>
    </message>
    <message>
        <source>Fit selection</source>
        <translation>Auswahl einpassen</translation>
    </message>
    <message>
        <source>Flint</source>
        <translation>Flint</translation>
    </message>
    <message>
        <source>Flint thickness</source>
        <translation>Dicke des Flintglases</translation>
    </message>
    <message>
        <source>Focal distance</source>
        <translation>Brennpunktabstand</translation>
    </message>
    <message>
        <source>Focal points</source>
        <translation>Brennpunkte</translation>
    </message>
    <message>
        <source>Foci</source>
        <translation>Brennpunkte</translation>
    </message>
    <message>
        <source>Font</source>
        <translation>Schrift</translation>
    </message>
    <message>
        <source>For small models, such as many on this computer; it may call the other tools, too.</source>
        <translation>Für kleine Modelle, wie viele auf diesem Rechner; die anderen Werkzeuge darf es auch aufrufen.</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Fraction of s that is transmitted, and of p that is reflected.</source>
        <translation>Der Teil von s, der durchgelassen, und von p, der reflektiert wird.</translation>
    </message>
    <message>
        <source>Fractions of the power in the orders 0, 1, -1, 2, -2 and so on.</source>
        <translation>Teile der Leistung in den Ordnungen 0, 1, -1, 2, -2 und so weiter.</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>From its first corner to the second. About the centre, which stays.</source>
        <translation>Von der ersten Ecke zur zweiten. Um die Mitte, die bleibt.</translation>
    </message>
    <message>
        <source>From its first end to the second. About the centre, which stays.</source>
        <translation>Vom ersten Ende zum zweiten. Um die Mitte, die bleibt.</translation>
    </message>
    <message>
        <source>From rim to rim.</source>
        <translation>Von Rand zu Rand.</translation>
    </message>
    <message>
        <source>From the centre, which stays.</source>
        <translation>Von der Mitte, die bleibt.</translation>
    </message>
    <message>
        <source>From the principal plane, at 587.56 nm; negative for a diverging lens.</source>
        <translation>Ab der Hauptebene, bei 587,56 nm; negativ bei einer Zerstreuungslinse.</translation>
    </message>
    <message>
        <source>From the start, which stays.</source>
        <translation>Vom Anfang, der bleibt.</translation>
    </message>
    <message>
        <source>From the zero, which stays.</source>
        <translation>Vom Nullpunkt, der bleibt.</translation>
    </message>
    <message>
        <source>Full angle into which each point emits.</source>
        <translation>Voller Winkel, in den jeder Punkt strahlt.</translation>
    </message>
    <message>
        <source>Full angle of the fan.</source>
        <translation>Voller Winkel des Fächers.</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>GRIN glass</source>
        <translation>GRIN-Glas</translation>
    </message>
    <message>
        <source>Galilei</source>
        <translation>Galilei</translation>
    </message>
    <message>
        <source>Give every ray its source&apos;s wavelength.</source>
        <translation>Jedem Strahl die Wellenlänge seiner Quelle geben.</translation>
    </message>
    <message>
        <source>Give the power of each order instead of a slit width.</source>
        <translation>Die Leistung jeder Ordnung statt einer Spaltbreite angeben.</translation>
    </message>
    <message>
        <source>Gives the direction; its distance has no effect.</source>
        <translation>Gibt die Richtung; sein Abstand hat keine Wirkung.</translation>
    </message>
    <message>
        <source>Glass</source>
        <translation>Glas</translation>
    </message>
    <message>
        <source>Grating</source>
        <translation>Gitter</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Raster</translation>
    </message>
    <message>
        <source>Grid points</source>
        <translation>Rasterpunkte</translation>
    </message>
    <message>
        <source>Grid size</source>
        <translation>Rasterweite</translation>
    </message>
    <message>
        <source>Grip</source>
        <translation>Griff</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppieren</translation>
    </message>
    <message>
        <source>Half the width of the filter&apos;s band.</source>
        <translation>Halbe Breite des Filterbands.</translation>
    </message>
    <message>
        <source>Half width</source>
        <translation>Halbe Breite</translation>
    </message>
    <message>
        <source>Half-plane glass</source>
        <translation>Halbebenenglas</translation>
    </message>
    <message>
        <source>Handle</source>
        <translation>Steuerpunkt</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Help</source>
        <comment>menu</comment>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Hollow</source>
        <translation>Hohl</translation>
    </message>
    <message>
        <source>How brightness is shown, by intensity as a scale of colours; all except default also trace weak rays.</source>
        <translation>Wie Helligkeit gezeigt wird, nach Intensität als Farbskala; alle außer dem Standard verfolgen auch schwache Strahlen.</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Ideal lens</source>
        <translation>Ideale Linse</translation>
    </message>
    <message>
        <source>Ideal mirror</source>
        <translation>Idealer Spiegel</translation>
    </message>
    <message>
        <source>Image density</source>
        <translation>Bilddichte</translation>
    </message>
    <message>
        <source>Import drawing…</source>
        <translation>Zeichnung importieren…</translation>
    </message>
    <message>
        <source>Import lens…</source>
        <translation>Linse importieren…</translation>
    </message>
    <message>
        <source>Import modules…</source>
        <translation>Module importieren…</translation>
    </message>
    <message>
        <source>Imported from beta</source>
        <translation>Aus Beta importiert</translation>
    </message>
    <message>
        <source>Index, or Cauchy&apos;s A where colours are simulated.</source>
        <translation>Brechzahl, oder Cauchys A, wo Farben simuliert werden.</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Insert</source>
        <comment>menu</comment>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Interaction</source>
        <translation>Wechselwirkung</translation>
    </message>
    <message>
        <source>Interactions after which a ray is cut; empty for no limit.</source>
        <translation>Wechselwirkungen, nach denen ein Strahl endet; leer für keine Grenze.</translation>
    </message>
    <message>
        <source>Intersections</source>
        <translation>Schnittpunkte</translation>
    </message>
    <message>
        <source>Invert</source>
        <translation>Umkehren</translation>
    </message>
    <message>
        <source>Irradiance map</source>
        <translation>Karte der Bestrahlungsstärke</translation>
    </message>
    <message>
        <source>Italic</source>
        <translation>Kursiv</translation>
    </message>
    <message>
        <source>Its curved side faces parallel light; with a negative focal length it is plano-concave.</source>
        <translation>Ihre gekrümmte Seite ist parallelem Licht zugewandt; mit negativer Brennweite ist sie plankonkav.</translation>
    </message>
    <message>
        <source>Its surfaces, stop, fields and links; without it, a triplet.</source>
        <translation>Seine Flächen, Blende, Felder und Verknüpfungen; ohne sie ein Triplet.</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Join the last node to the first.</source>
        <translation>Den letzten Knoten mit dem ersten verbinden.</translation>
    </message>
    <message>
        <source>Keep the tool after drawing</source>
        <translation>Werkzeug nach dem Zeichnen behalten</translation>
    </message>
    <message>
        <source>Kepler</source>
        <translation>Kepler</translation>
    </message>
    <message>
        <source>Kept for other programs; bodies always merge here.</source>
        <translation>Für andere Programme behalten; Körper verschmelzen hier immer.</translation>
    </message>
    <message>
        <source>Kept for the web application: it plots the formulas over the body.</source>
        <translation>Für das Web-Programm behalten: Es zeichnet die Formeln über den Körper.</translation>
    </message>
    <message>
        <source>Kept for the web application; here surfaces are met exactly.</source>
        <translation>Für das Web-Programm behalten; hier werden Flächen exakt getroffen.</translation>
    </message>
    <message>
        <source>Kept for the web application; here the step size is adaptive.</source>
        <translation>Für das Web-Programm behalten; hier passt sich die Schrittweite an.</translation>
    </message>
    <message>
        <source>LaTeX; y is up for ends from left to right, in half distances.</source>
        <translation>LaTeX; y zeigt nach oben bei Enden von links nach rechts, in halben Abständen.</translation>
    </message>
    <message>
        <source>Label edges…</source>
        <translation>Kanten benennen…</translation>
    </message>
    <message>
        <source>Lambertian</source>
        <translation>Lambertsch</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Largest depth</source>
        <translation>Größte Tiefe</translation>
    </message>
    <message>
        <source>Largest distance from the pointer to what it is drawn to.</source>
        <translation>Größter Abstand des Zeigers zu dem, woran er einrastet.</translation>
    </message>
    <message>
        <source>Lateral colour</source>
        <translation>Farbquerfehler</translation>
    </message>
    <message>
        <source>Leakage</source>
        <translation>Durchlass quer</translation>
    </message>
    <message>
        <source>Left circular</source>
        <translation>Links zirkular</translation>
    </message>
    <message>
        <source>Left sides</source>
        <translation>Linke Seiten</translation>
    </message>
    <message>
        <source>Leg</source>
        <translation>Schenkel</translation>
    </message>
    <message>
        <source>Length scale</source>
        <translation>Längenmaßstab</translation>
    </message>
    <message>
        <source>Lens data</source>
        <translation>Linsendaten</translation>
    </message>
    <message>
        <source>Lens merit</source>
        <translation>Linsengüte</translation>
    </message>
    <message>
        <source>Lens system</source>
        <translation>Linsensystem</translation>
    </message>
    <message>
        <source>Lenses</source>
        <translation>Linsen</translation>
    </message>
    <message>
        <source>Let light pass</source>
        <translation>Licht durchlassen</translation>
    </message>
    <message>
        <source>Let programs connect</source>
        <translation>Programme verbinden lassen</translation>
    </message>
    <message>
        <source>Let programs connect first.</source>
        <translation>Lassen Sie zuerst Programme verbinden.</translation>
    </message>
    <message>
        <source>Letter landscape</source>
        <translation>Letter quer</translation>
    </message>
    <message>
        <source>Letter portrait</source>
        <translation>Letter hoch</translation>
    </message>
    <message>
        <source>Library…</source>
        <translation>Bibliothek…</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Licht</translation>
    </message>
    <message>
        <source>Light</source>
        <comment>Theme</comment>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Light guide</source>
        <translation>Lichtleiter</translation>
    </message>
    <message>
        <source>Light of the fields</source>
        <translation>Licht der Felder</translation>
    </message>
    <message>
        <source>Light on its way back is turned further, not back, as in an isolator.</source>
        <translation>Licht auf dem Rückweg wird weiter gedreht, nicht zurück, wie in einem Isolator.</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Linie</translation>
    </message>
    <message>
        <source>Line density</source>
        <translation>Liniendichte</translation>
    </message>
    <message>
        <source>Line spread function</source>
        <translation>Linienbildfunktion</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>Linear RGB</source>
        <translation>Lineares RGB</translation>
    </message>
    <message>
        <source>Lines in a millimetre.</source>
        <translation>Linien je Millimeter.</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>Sperren</translation>
    </message>
    <message>
        <source>Lock objects</source>
        <translation>Objekte sperren</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>Gesperrt</translation>
    </message>
    <message>
        <source>Longitudinal aberration</source>
        <translation>Längsaberration</translation>
    </message>
    <message>
        <source>MTF</source>
        <translation>MTF</translation>
    </message>
    <message>
        <source>MTF through focus</source>
        <translation>MTF über Defokus</translation>
    </message>
    <message>
        <source>Magnification</source>
        <translation>Vergrößerung</translation>
    </message>
    <message>
        <source>Make module…</source>
        <translation>Modul erstellen…</translation>
    </message>
    <message>
        <source>Type a measure, such as power(Screen), to follow it from change to change.</source>
        <translation>Tippen Sie ein Maß, etwa power(Screen), um ihm von Änderung zu Änderung zu folgen.</translation>
    </message>
    <message>
        <source>Give one measure.</source>
        <translation>Geben Sie ein Maß an.</translation>
    </message>
    <message>
        <source>change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>{words}, taken back</source>
        <translation>{words}, zurückgenommen</translation>
    </message>
    <message>
        <source>at first</source>
        <translation>anfangs</translation>
    </message>
    <message>
        <source>A measure over changes</source>
        <translation>Ein Maß über Änderungen</translation>
    </message>
    <message>
        <source>The measure over changes</source>
        <translation>Das Maß über Änderungen</translation>
    </message>
    <message>
        <source>Measure</source>
        <comment>noun</comment>
        <translation>Maß</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>a measure, such as power(Screen)</source>
        <translation>ein Maß, etwa power(Screen)</translation>
    </message>
    <message>
        <source>Measure power along the line, bin by bin.</source>
        <translation>Leistung entlang der Linie klassenweise messen.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Meniscus lens</source>
        <translation>Meniskuslinse</translation>
    </message>
    <message>
        <source>Middle of the edge at one rim.</source>
        <translation>Mitte der Kante an einem Rand.</translation>
    </message>
    <message>
        <source>Middle of the edge at the other rim.</source>
        <translation>Mitte der Kante am anderen Rand.</translation>
    </message>
    <message>
        <source>Midpoints</source>
        <translation>Mittelpunkte</translation>
    </message>
    <message>
        <source>Mirror left to right</source>
        <translation>Links-rechts spiegeln</translation>
    </message>
    <message>
        <source>Mirror top to bottom</source>
        <translation>Oben-unten spiegeln</translation>
    </message>
    <message>
        <source>Mirrors</source>
        <translation>Spiegel</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>Model Context Protocol</source>
        <translation>Model Context Protocol</translation>
    </message>
    <message>
        <source>More shows more rays while dragging, less follows the mouse more closely.</source>
        <translation>Mehr zeigt beim Ziehen mehr Strahlen, weniger folgt der Maus dichter.</translation>
    </message>
    <message>
        <source>Most segments at rest</source>
        <translation>Segmente in Ruhe, höchstens</translation>
    </message>
    <message>
        <source>Mounts</source>
        <translation>Fassungen</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Move sideways</source>
        <translation>Seitlich verschieben</translation>
    </message>
    <message>
        <source>Move step</source>
        <translation>Schrittweite</translation>
    </message>
    <message>
        <source>Move to a new window</source>
        <translation>In ein neues Fenster</translation>
    </message>
    <message>
        <source>Move to best focus</source>
        <translation>In den besten Fokus verschieben</translation>
    </message>
    <message>
        <source>Move vertically</source>
        <translation>Senkrecht verschieben</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>Neues Gespräch</translation>
    </message>
    <message>
        <source>New from template</source>
        <translation>Neu aus Vorlage</translation>
    </message>
    <message>
        <source>New scenes</source>
        <translation>Neue Szenen</translation>
    </message>
    <message>
        <source>New tab</source>
        <translation>Neuer Tab</translation>
    </message>
    <message>
        <source>New window</source>
        <translation>Neues Fenster</translation>
    </message>
    <message>
        <source>Next tab</source>
        <translation>Nächster Tab</translation>
    </message>
    <message>
        <source>Next view</source>
        <translation>Nächste Ansicht</translation>
    </message>
    <message>
        <source>No object is hidden.</source>
        <translation>Kein Objekt ist ausgeblendet.</translation>
    </message>
    <message>
        <source>No question is being answered.</source>
        <translation>Es wird keine Frage beantwortet.</translation>
    </message>
    <message>
        <source>No view has been taken back.</source>
        <translation>Keine Ansicht wurde zurückgenommen.</translation>
    </message>
    <message>
        <source>Nodes and control points in order.</source>
        <translation>Knoten und Kontrollpunkte der Reihe nach.</translation>
    </message>
    <message>
        <source>Nodes and control points in order; the last is joined to the first.</source>
        <translation>Knoten und Kontrollpunkte der Reihe nach; der letzte wird mit dem ersten verbunden.</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>Normal</translation>
    </message>
    <message>
        <source>Nothing else has been shown.</source>
        <translation>Nichts anderes wurde gezeigt.</translation>
    </message>
    <message>
        <source>Nothing has been asked yet.</source>
        <translation>Es wurde noch nichts gefragt.</translation>
    </message>
    <message>
        <source>Nothing has been changed.</source>
        <translation>Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>Nothing has been undone.</source>
        <translation>Nichts wurde rückgängig gemacht.</translation>
    </message>
    <message>
        <source>Nothing is being traced.</source>
        <translation>Es wird nichts berechnet.</translation>
    </message>
    <message>
        <source>Numerical tolerances</source>
        <translation>Numerische Toleranzen</translation>
    </message>
    <message>
        <source>OPD fan, best sphere</source>
        <translation>OPD-Fächer, beste Kugel</translation>
    </message>
    <message>
        <source>OPD fan, chief ray&apos;s sphere</source>
        <translation>OPD-Fächer, Hauptstrahlkugel</translation>
    </message>
    <message>
        <source>Objects</source>
        <translation>Objekte</translation>
    </message>
    <message>
        <source>Oblique</source>
        <translation>Geneigt</translation>
    </message>
    <message>
        <source>Of all rays together; sets the power or power density above.</source>
        <translation>Aller Strahlen zusammen; bestimmt die Leistung oder Leistungsdichte oben.</translation>
    </message>
    <message>
        <source>Of each of the three faces.</source>
        <translation>Jeder der drei Seiten.</translation>
    </message>
    <message>
        <source>Of each of the two short faces.</source>
        <translation>Jeder der beiden kurzen Seiten.</translation>
    </message>
    <message>
        <source>Of each. About the centre, which stays.</source>
        <translation>Von jedem. Um die Mitte, die bleibt.</translation>
    </message>
    <message>
        <source>Of each. From its first corner to the second. About the centre, which stays.</source>
        <translation>Von jedem. Von der ersten Ecke zur zweiten. Um die Mitte, die bleibt.</translation>
    </message>
    <message>
        <source>Of each. From its first end to the second. About the centre, which stays.</source>
        <translation>Von jedem. Vom ersten Ende zum zweiten. Um die Mitte, die bleibt.</translation>
    </message>
    <message>
        <source>Of each. From the centre, which stays.</source>
        <translation>Von jedem. Von der Mitte, die bleibt.</translation>
    </message>
    <message>
        <source>Of each. From the start, which stays.</source>
        <translation>Von jedem. Vom Anfang, der bleibt.</translation>
    </message>
    <message>
        <source>Of each. From the zero, which stays.</source>
        <translation>Von jedem. Vom Nullpunkt, der bleibt.</translation>
    </message>
    <message>
        <source>Of each. Of its direction; its place stays.</source>
        <translation>Von jedem. Seiner Richtung; sein Ort bleibt.</translation>
    </message>
    <message>
        <source>Of each. The centre and the angle stay.</source>
        <translation>Von jedem. Mitte und Winkel bleiben.</translation>
    </message>
    <message>
        <source>Of each. The centre stays.</source>
        <translation>Von jedem. Die Mitte bleibt.</translation>
    </message>
    <message>
        <source>Of each. The ends stay.</source>
        <translation>Von jedem. Die Enden bleiben.</translation>
    </message>
    <message>
        <source>Of its direction; its place stays.</source>
        <translation>Seiner Richtung; sein Ort bleibt.</translation>
    </message>
    <message>
        <source>Of linear light: 0 is perpendicular to the drawing (s), 90 in it (p); counter-clockwise, looking into the light.</source>
        <translation>Von linearem Licht: 0 ist senkrecht zur Zeichnung (s), 90 in ihr (p); gegen den Uhrzeigersinn, dem Licht entgegen gesehen.</translation>
    </message>
    <message>
        <source>Of the beam that gets through.</source>
        <translation>Des Bündels, das hindurchgelangt.</translation>
    </message>
    <message>
        <source>Of the face where light comes in.</source>
        <translation>Der Fläche, in die Licht eintritt.</translation>
    </message>
    <message>
        <source>Of the faces where light comes in and goes out.</source>
        <translation>Der Flächen, durch die Licht ein- und austritt.</translation>
    </message>
    <message>
        <source>Of the first surface; positive where its centre lies behind it, empty where it is flat.</source>
        <translation>Der ersten Fläche; positiv, wo ihre Mitte dahinter liegt, leer, wo sie eben ist.</translation>
    </message>
    <message>
        <source>Of the second lens.</source>
        <translation>Der zweiten Linse.</translation>
    </message>
    <message>
        <source>Of the second surface; positive where its centre lies behind it, empty where it is flat.</source>
        <translation>Der zweiten Fläche; positiv, wo ihre Mitte dahinter liegt, leer, wo sie eben ist.</translation>
    </message>
    <message>
        <source>Of the solid form.</source>
        <translation>Der massiven Form.</translation>
    </message>
    <message>
        <source>Offer a model only a dozen tools</source>
        <translation>Einem Modell nur ein Dutzend Werkzeuge anbieten</translation>
    </message>
    <message>
        <source>On the axis.</source>
        <translation>Auf der Achse.</translation>
    </message>
    <message>
        <source>One end of the arc.</source>
        <translation>Ein Ende des Bogens.</translation>
    </message>
    <message>
        <source>One end of the blocker.</source>
        <translation>Ein Ende des Absorbers.</translation>
    </message>
    <message>
        <source>One end of the element.</source>
        <translation>Ein Ende des Elements.</translation>
    </message>
    <message>
        <source>One end of the emitting line.</source>
        <translation>Ein Ende der leuchtenden Linie.</translation>
    </message>
    <message>
        <source>One end of the grating.</source>
        <translation>Ein Ende des Gitters.</translation>
    </message>
    <message>
        <source>One end of the lens.</source>
        <translation>Ein Ende der Linse.</translation>
    </message>
    <message>
        <source>One end of the mirror.</source>
        <translation>Ein Ende des Spiegels.</translation>
    </message>
    <message>
        <source>One end of the surface.</source>
        <translation>Ein Ende der Fläche.</translation>
    </message>
    <message>
        <source>One ray from ``p1`` through ``p2``.</source>
        <translation>Ein Strahl von ``p1`` durch ``p2``.</translation>
    </message>
    <message>
        <source>Only a model looks at pictures.</source>
        <translation>Nur ein Modell sieht Bilder an.</translation>
    </message>
    <message>
        <source>Only a question whose answer ended with an error goes on, with a model.</source>
        <translation>Nur eine Frage, deren Antwort mit einem Fehler endete, geht weiter, mit einem Modell.</translation>
    </message>
    <message>
        <source>Open in a new tab…</source>
        <translation>In neuem Tab öffnen…</translation>
    </message>
    <message>
        <source>Open link…</source>
        <translation>Link öffnen…</translation>
    </message>
    <message>
        <source>Open project folder…</source>
        <translation>Projektordner öffnen…</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Open the files of the last time at start</source>
        <translation>Beim Start die Dateien vom letzten Mal öffnen</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Optical axis</source>
        <translation>Optische Achse</translation>
    </message>
    <message>
        <source>Optimise…</source>
        <translation>Optimieren…</translation>
    </message>
    <message>
        <source>Orders</source>
        <translation>Ordnungen</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>Ursprung</translation>
    </message>
    <message>
        <source>Outgoing rays</source>
        <translation>Ausgehende Strahlen</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>Umriss</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>PNG</source>
        <translation>PNG</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>Papier</translation>
    </message>
    <message>
        <source>Paper</source>
        <comment>Theme</comment>
        <translation>Papier</translation>
    </message>
    <message>
        <source>Parabolic mirror</source>
        <translation>Parabolspiegel</translation>
    </message>
    <message>
        <source>Parallel or diverging rays emitted perpendicular to a line; with ``p1`` above ``p2`` they go to the right.</source>
        <translation>Parallele oder auseinanderlaufende Strahlen senkrecht zu einer Linie; mit ``p1`` über ``p2`` gehen sie nach rechts.</translation>
    </message>
    <message>
        <source>Parametric GRIN glass</source>
        <translation>GRIN-Parameterglas</translation>
    </message>
    <message>
        <source>Parametric glass</source>
        <translation>Parameterglas</translation>
    </message>
    <message>
        <source>Parametric mirror</source>
        <translation>Parameterspiegel</translation>
    </message>
    <message>
        <source>Partial reflection</source>
        <translation>Teilreflexion</translation>
    </message>
    <message>
        <source>Penta prism</source>
        <translation>Pentaprisma</translation>
    </message>
    <message>
        <source>Perpendicular</source>
        <translation>Senkrechte</translation>
    </message>
    <message>
        <source>Pieces</source>
        <translation>Teilstücke</translation>
    </message>
    <message>
        <source>Pinned measure</source>
        <translation>Angeheftetes Maß</translation>
    </message>
    <message>
        <source>Pivot</source>
        <translation>Drehpunkt</translation>
    </message>
    <message>
        <source>Plano-convex lens</source>
        <translation>Plankonvexlinse</translation>
    </message>
    <message>
        <source>Play…</source>
        <translation>Abspielen…</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Point on the arc</source>
        <translation>Punkt auf dem Bogen</translation>
    </message>
    <message>
        <source>Point source</source>
        <translation>Punktquelle</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>Polarisation</source>
        <translation>Polarisation</translation>
    </message>
    <message>
        <source>Polarization rotator</source>
        <translation>Polarisationsdreher</translation>
    </message>
    <message>
        <source>Polarizer</source>
        <translation>Polarisator</translation>
    </message>
    <message>
        <source>Polarizing splitter</source>
        <translation>Polarisierender Strahlteiler</translation>
    </message>
    <message>
        <source>Polygonal</source>
        <translation>Polygonzug</translation>
    </message>
    <message>
        <source>Polygonal: straight from step to step. The others are followed exactly.</source>
        <translation>Polygonzug: gerade von Schritt zu Schritt. Den anderen wird genau gefolgt.</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>Position, downwards.</source>
        <translation>Position, nach unten.</translation>
    </message>
    <message>
        <source>Position, to the right.</source>
        <translation>Position, nach rechts.</translation>
    </message>
    <message>
        <source>Positions and angles drawn at random from the scene&apos;s seed.</source>
        <translation>Positionen und Winkel, zufällig aus dem Startwert der Szene gezogen.</translation>
    </message>
    <message>
        <source>Positive for a converging lens.</source>
        <translation>Positiv bei einer Sammellinse.</translation>
    </message>
    <message>
        <source>Positive for a converging mirror.</source>
        <translation>Positiv bei einem Sammelspiegel.</translation>
    </message>
    <message>
        <source>Power carried by the ray.</source>
        <translation>Leistung, die der Strahl trägt.</translation>
    </message>
    <message>
        <source>Power density</source>
        <translation>Leistungsdichte</translation>
    </message>
    <message>
        <source>Power falls with the cosine of the angle from the axis.</source>
        <translation>Die Leistung fällt mit dem Kosinus des Winkels zur Achse.</translation>
    </message>
    <message>
        <source>Power per unit of length of the line.</source>
        <translation>Leistung je Länge der Linie.</translation>
    </message>
    <message>
        <source>Power that arrives at an object from outside, positive from either side; light that arrives twice counts twice.</source>
        <translation>Leistung, die von außen an einem Objekt ankommt, von beiden Seiten positiv; Licht, das zweimal ankommt, zählt zweimal.</translation>
    </message>
    <message>
        <source>Preferences…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>Prescription</source>
        <translation>Linsendaten</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>Präsentieren</translation>
    </message>
    <message>
        <source>Previous tab</source>
        <translation>Voriger Tab</translation>
    </message>
    <message>
        <source>Previous view</source>
        <translation>Vorige Ansicht</translation>
    </message>
    <message>
        <source>Print…</source>
        <translation>Drucken…</translation>
    </message>
    <message>
        <source>Prisms</source>
        <translation>Prismen</translation>
    </message>
    <message>
        <source>Protractor</source>
        <translation>Winkelmesser</translation>
    </message>
    <message>
        <source>Python console</source>
        <translation>Python-Konsole</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Radii</source>
        <translation>Radien</translation>
    </message>
    <message>
        <source>Radii, or front and back focal distances.</source>
        <translation>Radien, oder vordere und hintere Brennpunktabstände.</translation>
    </message>
    <message>
        <source>Radius 1</source>
        <translation>Radius 1</translation>
    </message>
    <message>
        <source>Radius 2</source>
        <translation>Radius 2</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>Zufällig</translation>
    </message>
    <message>
        <source>Random seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Ray arrows</source>
        <translation>Strahlpfeile</translation>
    </message>
    <message>
        <source>Ray density</source>
        <translation>Strahldichte</translation>
    </message>
    <message>
        <source>Ray fan</source>
        <translation>Queraberrationen</translation>
    </message>
    <message>
        <source>Ray hits</source>
        <translation>Treffer von Strahlen</translation>
    </message>
    <message>
        <source>Ray limit</source>
        <translation>Strahlgrenze</translation>
    </message>
    <message>
        <source>Ray table</source>
        <translation>Strahltabelle</translation>
    </message>
    <message>
        <source>Rays per unit in the modes all images and observer.</source>
        <translation>Strahlen je Einheit in den Modi alle Bilder und Beobachter.</translation>
    </message>
    <message>
        <source>Rays per unit in the modes rays and extended.</source>
        <translation>Strahlen je Einheit in den Modi Strahlen und verlängerte Strahlen.</translation>
    </message>
    <message>
        <source>Red wavelength</source>
        <translation>Rote Wellenlänge</translation>
    </message>
    <message>
        <source>Red, green, blue and opacity from 0 to 1, such as {&quot;color&quot;: {&quot;r&quot;: 1, &quot;g&quot;: 0.5, &quot;b&quot;: 0, &quot;a&quot;: 1}, &quot;width&quot;: 2, &quot;dash&quot;: [6, 4]}; width and dashes are in pixels.</source>
        <translation>Rot, Grün, Blau und Deckkraft von 0 bis 1, etwa {&quot;color&quot;: {&quot;r&quot;: 1, &quot;g&quot;: 0.5, &quot;b&quot;: 0, &quot;a&quot;: 1}, &quot;width&quot;: 2, &quot;dash&quot;: [6, 4]}; Breite und Striche sind in Pixeln.</translation>
    </message>
    <message>
        <source>Red, green, blue and opacity from 0 to 1, such as {&quot;color&quot;: {&quot;r&quot;: 1, &quot;g&quot;: 0.5, &quot;b&quot;: 0, &quot;a&quot;: 1}}.</source>
        <translation>Rot, Grün, Blau und Deckkraft von 0 bis 1, etwa {&quot;color&quot;: {&quot;r&quot;: 1, &quot;g&quot;: 0.5, &quot;b&quot;: 0, &quot;a&quot;: 1}}.</translation>
    </message>
    <message>
        <source>Field curvature, distortion</source>
        <translation>Bildfeldwölbung, Verzeichnung</translation>
    </message>
    <message>
        <source>A body with a closed outline of straight edges and circular arcs.</source>
        <translation>Ein Körper mit einem geschlossenen Umriss aus geraden Kanten und Kreisbögen.</translation>
    </message>
    <message>
        <source>A circular body.</source>
        <translation>Ein kreisförmiger Körper.</translation>
    </message>
    <message>
        <source>A film or sheet that transmits light of one linear polarization, and absorbs the other.</source>
        <translation>Ein Film oder Blatt, das Licht einer linearen Polarisation durchlässt und die andere absorbiert.</translation>
    </message>
    <message>
        <source>A flat element that reflects and images perfectly: 1/s + 1/s&apos; = 1/f for every ray (Hecht, section 5.4.3).</source>
        <translation>Ein ebenes Element, das reflektiert und vollkommen abbildet: 1/s + 1/s&apos; = 1/f für jeden Strahl (Hecht, Abschnitt 5.4.3).</translation>
    </message>
    <message>
        <source>A flat transmission or reflection grating.</source>
        <translation>Ein ebenes Transmissions- oder Reflexionsgitter.</translation>
    </message>
    <message>
        <source>A gradient-index body bounded by parametric curves, which are shifted by the field ``origin``.</source>
        <translation>Ein Körper mit Indexgradient, den Parameterkurven begrenzen; das Feld ``origin`` verschiebt sie.</translation>
    </message>
    <message>
        <source>A half-plane of glass on one side of a line: below the line if its first point is to the left of its second.</source>
        <translation>Eine Halbebene aus Glas auf einer Seite einer Linie: unter ihr, wenn ihr erster Punkt links vom zweiten liegt.</translation>
    </message>
    <message>
        <source>A handle: dragging this point moves the group of the handle, which consists of whole objects and of single points of other objects. In the object order of the file format a handle counts as an optical object, but it does not affect light. ``objIndices`` are the indices of the objects in the scene, ``controlPoints`` the single points.</source>
        <translation>Ein Griff: Ihn zu ziehen verschiebt seine Gruppe, die aus ganzen Objekten und aus einzelnen Punkten anderer besteht. In der Reihenfolge des Dateiformats zählt er als optisches Objekt, wirkt aber nicht auf Licht. ``objIndices`` sind die Nummern der Objekte in der Szene, ``controlPoints`` die einzelnen Punkte.</translation>
    </message>
    <message>
        <source>A line that measures the power of the light that crosses it. The light passes unchanged.</source>
        <translation>Eine Linie, die die Leistung des Lichts misst, das sie kreuzt. Das Licht geht unverändert hindurch.</translation>
    </message>
    <message>
        <source>A mirror in the form of a graph y = f(x), whose ends are at x = -1 and x = 1.</source>
        <translation>Ein Spiegel in Form eines Graphen y = f(x), mit seinen Enden bei x = -1 und x = 1.</translation>
    </message>
    <message>
        <source>A plate that delays light polarized across its fast axis: a quarter-wave plate at 45 degrees makes linear light circular, a half-wave plate rotates linear light.</source>
        <translation>Eine Platte, die Licht verzögert, das quer zu ihrer schnellen Achse polarisiert ist: Eine Viertelwellenplatte unter 45 Grad macht lineares Licht zirkular, eine Halbwellenplatte dreht lineares Licht.</translation>
    </message>
    <message>
        <source>A plate that rotates the polarization of light: quartz, or a Faraday rotator.</source>
        <translation>Eine Platte, die die Polarisation von Licht dreht: Quarz, oder ein Faraday-Dreher.</translation>
    </message>
    <message>
        <source>An instance of a module: users see a single object, which is expanded to its parts for tracing.</source>
        <translation>Eine Instanz eines Moduls: Der Benutzer sieht ein einziges Objekt, das für die Strahlverfolgung in seine Teile zerlegt wird.</translation>
    </message>
    <message>
        <source>File</source>
        <comment>menu</comment>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Mean position, weighted by power, of the light that arrives at a line, measured along it from its first end.</source>
        <translation>Mit der Leistung gewichtete mittlere Position des Lichts, das an einer Linie ankommt, entlang ihr vom ersten Ende gemessen.</translation>
    </message>
    <message>
        <source>Reflect the orders instead of transmitting them.</source>
        <translation>Die Ordnungen reflektieren statt durchlassen.</translation>
    </message>
    <message>
        <source>Reflecting</source>
        <translation>Reflektierend</translation>
    </message>
    <message>
        <source>Refractive index</source>
        <translation>Brechzahl</translation>
    </message>
    <message>
        <source>Reinhard</source>
        <translation>Reinhard</translation>
    </message>
    <message>
        <source>Rename group…</source>
        <translation>Gruppe umbenennen…</translation>
    </message>
    <message>
        <source>Reset the layout</source>
        <translation>Anordnung zurücksetzen</translation>
    </message>
    <message>
        <source>Retardance</source>
        <translation>Verzögerung</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
    <message>
        <source>Right circular</source>
        <translation>Rechts zirkular</translation>
    </message>
    <message>
        <source>Right sides</source>
        <translation>Rechte Seiten</translation>
    </message>
    <message>
        <source>Right-angle prism</source>
        <translation>90°-Prisma</translation>
    </message>
    <message>
        <source>Rim point</source>
        <translation>Randpunkt</translation>
    </message>
    <message>
        <source>Root mean square distance, weighted by power, of the arriving light from its centroid along the line.</source>
        <translation>Mit der Leistung gewichteter quadratischer Mittelwert des Abstands des ankommenden Lichts von seinem Schwerpunkt entlang der Linie.</translation>
    </message>
    <message>
        <source>Rotate by 1° clockwise</source>
        <translation>Um 1° im Uhrzeigersinn drehen</translation>
    </message>
    <message>
        <source>Rotate by 1° counter-clockwise</source>
        <translation>Um 1° gegen den Uhrzeigersinn drehen</translation>
    </message>
    <message>
        <source>Rotate step</source>
        <translation>Drehschritt</translation>
    </message>
    <message>
        <source>Rotate…</source>
        <translation>Drehen…</translation>
    </message>
    <message>
        <source>Rotation</source>
        <translation>Drehung</translation>
    </message>
    <message>
        <source>Ruler</source>
        <translation>Lineal</translation>
    </message>
    <message>
        <source>SVG</source>
        <translation>SVG</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save as template…</source>
        <translation>Als Vorlage speichern…</translation>
    </message>
    <message>
        <source>Saved views</source>
        <translation>Gespeicherte Ansichten</translation>
    </message>
    <message>
        <source>Scale background picture by two points…</source>
        <translation>Hintergrundbild durch zwei Punkte skalieren…</translation>
    </message>
    <message>
        <source>Scale step</source>
        <translation>Skalierschritt</translation>
    </message>
    <message>
        <source>Scales tolerances, line widths and the rays of a beam.</source>
        <translation>Skaliert Toleranzen, Linienbreiten und die Strahlen eines Bündels.</translation>
    </message>
    <message>
        <source>Scale…</source>
        <translation>Skalieren…</translation>
    </message>
    <message>
        <source>Scene and properties</source>
        <translation>Szene und Eigenschaften</translation>
    </message>
    <message>
        <source>Second end</source>
        <translation>Zweites Ende</translation>
    </message>
    <message>
        <source>Second end of the opening</source>
        <translation>Zweites Ende der Öffnung</translation>
    </message>
    <message>
        <source>Second outer end</source>
        <translation>Zweites äußeres Ende</translation>
    </message>
    <message>
        <source>Second point</source>
        <translation>Zweiter Punkt</translation>
    </message>
    <message>
        <source>Second rim</source>
        <translation>Zweiter Rand</translation>
    </message>
    <message>
        <source>Seidel sums</source>
        <translation>Seidelsummen</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Select an instance of a module first.</source>
        <translation>Wählen Sie zuerst eine Instanz eines Moduls aus.</translation>
    </message>
    <message>
        <source>Select an object first.</source>
        <translation>Wählen Sie zuerst ein Objekt aus.</translation>
    </message>
    <message>
        <source>Select an object of a group first.</source>
        <translation>Wählen Sie zuerst ein Objekt einer Gruppe aus.</translation>
    </message>
    <message>
        <source>Select an object or a measurement first.</source>
        <translation>Wählen Sie zuerst ein Objekt oder eine Messung aus.</translation>
    </message>
    <message>
        <source>Select and move</source>
        <translation>Auswählen und verschieben</translation>
    </message>
    <message>
        <source>Select none</source>
        <translation>Nichts auswählen</translation>
    </message>
    <message>
        <source>Select objects of one group first.</source>
        <translation>Wählen Sie zuerst Objekte einer Gruppe aus.</translation>
    </message>
    <message>
        <source>Select one object first.</source>
        <translation>Wählen Sie zuerst ein einzelnes Objekt aus.</translation>
    </message>
    <message>
        <source>Select one object with edges, such as a glass, first.</source>
        <translation>Wählen Sie zuerst ein Objekt mit Kanten aus, etwa ein Glas.</translation>
    </message>
    <message>
        <source>Select three objects or more first.</source>
        <translation>Wählen Sie zuerst mindestens drei Objekte aus.</translation>
    </message>
    <message>
        <source>Select two objects or more first.</source>
        <translation>Wählen Sie zuerst mindestens zwei Objekte aus.</translation>
    </message>
    <message>
        <source>Send backward</source>
        <translation>Eine Ebene nach hinten</translation>
    </message>
    <message>
        <source>Send to back</source>
        <translation>Ganz nach hinten</translation>
    </message>
    <message>
        <source>Sends light back where it came from, even if it is turned.</source>
        <translation>Schickt Licht dorthin zurück, woher es kam, auch wenn er gedreht wird.</translation>
    </message>
    <message>
        <source>Shape factor</source>
        <translation>Formfaktor</translation>
    </message>
    <message>
        <source>Shortest time between two recovery files, which are offered after a crash.</source>
        <translation>Kürzeste Zeit zwischen zwei Wiederherstellungsdateien, die nach einem Absturz angeboten werden.</translation>
    </message>
    <message>
        <source>Show grid</source>
        <translation>Raster zeigen</translation>
    </message>
    <message>
        <source>Show hidden objects</source>
        <translation>Ausgeblendete Objekte zeigen</translation>
    </message>
    <message>
        <source>Show ray arrows</source>
        <translation>Strahlpfeile zeigen</translation>
    </message>
    <message>
        <source>Show the grid</source>
        <translation>Das Raster zeigen</translation>
    </message>
    <message>
        <source>Side</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>A trace</source>
        <translation>Eine Strahlverfolgung</translation>
    </message>
    <message>
        <source>the colour mode linear</source>
        <translation>der Farbmodus Linear</translation>
    </message>
    <message>
        <source>a lower rayPowerCutoff</source>
        <translation>ein kleinerer rayPowerCutoff</translation>
    </message>
    <message>
        <source>{traces} is partial ({limit}), so that values miss light; a higher limit or a lower ray density follows all</source>
        <translation>{traces} ist unvollständig ({limit}), so dass den Werten Licht fehlt; eine höhere Grenze oder eine geringere Strahldichte verfolgt alles</translation>
    </message>
    <message>
        <source>Rays too weak to follow carried {share} of the power; {follows} follows weaker ones</source>
        <translation>Zu schwache, nicht verfolgte Strahlen trugen {share} der Leistung; {follows} verfolgt schwächere</translation>
    </message>
    <message>
        <source>Rays cut at the largest depth carried {share} of the power; a larger one follows them</source>
        <translation>Bei der größten Tiefe abgebrochene Strahlen trugen {share} der Leistung; eine größere verfolgt sie</translation>
    </message>
    <message>
        <source>Rays carry a power of at most 1 each, so that sources send from {least:.3g} to {most:.3g} % of theirs, and powers do not compare; the colour mode linear sends all</source>
        <translation>Strahlen tragen höchstens die Leistung 1, so dass Quellen {least:.3g} bis {most:.3g} % der ihren senden und Leistungen nicht vergleichbar sind; der Farbmodus Linear sendet alles</translation>
    </message>
    <message>
        <source>{text}. {then}</source>
        <translation>{text}. {then}</translation>
    </message>
    <message>
        <source>{percent:.3g} %</source>
        <translation>{percent:.3g} %</translation>
    </message>
    <message>
        <source>up to {share}</source>
        <translation>bis zu {share}</translation>
    </message>
    <message>
        <source>The light of {name} has no wavelength, so that lm assume 555 nm, which the eye sees best. Simulate colours in the settings.</source>
        <translation>Das Licht von {name} hat keine Wellenlänge, so dass lm von 555 nm ausgehen, die das Auge am besten sieht. Simulieren Sie Farben in den Einstellungen.</translation>
    </message>
    <message>
        <source>{name} sends no ray, for the ray density is too low. Raise it in the settings.</source>
        <translation>{name} sendet keinen Strahl, denn die Strahldichte ist zu gering. Erhöhen Sie sie in den Einstellungen.</translation>
    </message>
    <message>
        <source>{name} sends only {least:.3g} of its power, for its rays carry at most 1 each, and other sources send more: powers do not compare. Raise the ray density, or choose another colour mode than default.</source>
        <translation>{name} sendet nur {least:.3g} der Leistung, denn jeder Strahl trägt höchstens 1, und andere Quellen senden mehr: Leistungen sind nicht vergleichbar. Erhöhen Sie die Strahldichte, oder wählen Sie einen anderen Farbmodus als Standard.</translation>
    </message>
    <message>
        <source>{name} takes all light for {wavelength:g} nm. Simulate colours to use the sources&apos; wavelengths.</source>
        <translation>{name} behandelt alles Licht wie {wavelength:g} nm. Simulieren Sie Farben, damit die Wellenlängen der Quellen gelten.</translation>
    </message>
    <message>
        <source>Simulate colours</source>
        <translation>Farben simulieren</translation>
    </message>
    <message>
        <source>{name}: the data of {material} cover {low:g} to {high:g} nm, not {missing:g} nm. Its refractive index there is that of refIndex and cauchyB.</source>
        <translation>{name}: Die Daten von {material} reichen von {low:g} bis {high:g} nm, nicht bis {missing:g} nm. Dort gilt die Brechzahl aus refIndex und cauchyB.</translation>
    </message>
    <message>
        <source>where {name} and {other} lie on each other</source>
        <translation>wo {name} und {other} aufeinander liegen</translation>
    </message>
    <message>
        <source>at {title}</source>
        <translation>an {title}</translation>
    </message>
    <message>
        <source>Light of power {power:.3g} met an ill-defined place, first {where}.</source>
        <translation>Licht der Leistung {power:.3g} traf auf eine nicht eindeutige Stelle, zuerst {where}.</translation>
    </message>
    <message>
        <source>at {title}, whose focal length is 0</source>
        <translation>an {title} mit der Brennweite 0</translation>
    </message>
    <message>
        <source>at a corner of {title}</source>
        <translation>an einer Ecke von {title}</translation>
    </message>
    <message>
        <source>at a corner of {other} on {title}</source>
        <translation>an einer Ecke von {other} auf {title}</translation>
    </message>
    <message>
        <source>at ({x:.6g}, {y:.6g}) on {title}, where its index has no value that light can have</source>
        <translation>bei ({x:.6g}; {y:.6g}) auf {title}, wo die Brechzahl keinen für Licht möglichen Wert hat</translation>
    </message>
    <message>
        <source>Single ray</source>
        <translation>Einzelstrahl</translation>
    </message>
    <message>
        <source>Six points: rim, arc, rim, arc.</source>
        <translation>Sechs Punkte: Rand, Bogen, Rand, Bogen.</translation>
    </message>
    <message>
        <source>Slide 16:9</source>
        <translation>Folie 16:9</translation>
    </message>
    <message>
        <source>Slit ratio</source>
        <translation>Spaltverhältnis</translation>
    </message>
    <message>
        <source>Slit width over line spacing.</source>
        <translation>Spaltbreite durch Linienabstand.</translation>
    </message>
    <message>
        <source>Small capitals</source>
        <translation>Kapitälchen</translation>
    </message>
    <message>
        <source>Smooth</source>
        <translation>Stetig</translation>
    </message>
    <message>
        <source>Snap to</source>
        <translation>Einrasten an</translation>
    </message>
    <message>
        <source>Snap to grid</source>
        <translation>Am Raster einrasten</translation>
    </message>
    <message>
        <source>Snapping</source>
        <translation>Einrasten</translation>
    </message>
    <message>
        <source>Snapping distance</source>
        <translation>Einrastabstand</translation>
    </message>
    <message>
        <source>Sources with the same text here are coherent with each other, as two slits are.</source>
        <translation>Quellen mit gleichem Text hier sind zueinander kohärent, wie zwei Spalte.</translation>
    </message>
    <message>
        <source>Spherical lens</source>
        <translation>Sphärische Linse</translation>
    </message>
    <message>
        <source>Split rays by Fresnel&apos;s equations instead of transmitting all.</source>
        <translation>Strahlen nach Fresnels Formeln teilen, statt alles durchzulassen.</translation>
    </message>
    <message>
        <source>Spot against focus</source>
        <translation>Bildfleck über Defokus</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>Stop the agent</source>
        <translation>Agenten anhalten</translation>
    </message>
    <message>
        <source>Stop tracing</source>
        <translation>Berechnung anhalten</translation>
    </message>
    <message>
        <source>Strokes</source>
        <translation>Striche</translation>
    </message>
    <message>
        <source>Add a line to {label}</source>
        <translation>Eine Zeile zu {label} hinzufügen</translation>
    </message>
    <message>
        <source>One more line</source>
        <translation>Noch eine Zeile</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Adjust</source>
        <translation>Anpassen</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>First</source>
        <translation>Zuerst</translation>
    </message>
    <message>
        <source>Kind of study</source>
        <translation>Art der Studie</translation>
    </message>
    <message>
        <source>Search the whole ranges</source>
        <translation>Die ganzen Bereiche durchsuchen</translation>
    </message>
    <message>
        <source>Light may take any path</source>
        <translation>Licht darf jeden Weg nehmen</translation>
    </message>
    <message>
        <source>Also another one than in the present scene, such as a total reflection</source>
        <translation>Auch einen anderen als in der jetzigen Szene, etwa eine Totalreflexion</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>Study panel</source>
        <translation>Studienbereich</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>Stil</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>Sweep…</source>
        <translation>Durchlauf…</translation>
    </message>
    <message>
        <source>Symbolic body merging</source>
        <translation>Symbolisches Verschmelzen</translation>
    </message>
    <message>
        <source>Symmetric</source>
        <translation>Symmetrisch</translation>
    </message>
    <message>
        <source>System</source>
        <comment>Theme</comment>
        <translation>System</translation>
    </message>
    <message>
        <source>Systems</source>
        <translation>Systeme</translation>
    </message>
    <message>
        <source>Tangent</source>
        <translation>Tangente</translation>
    </message>
    <message>
        <source>The agent answers, and changes nothing</source>
        <translation>Der Agent antwortet und ändert nichts</translation>
    </message>
    <message>
        <source>The agent asks before it changes the scene or acts outside of it</source>
        <translation>Der Agent fragt, bevor er die Szene ändert oder außerhalb handelt</translation>
    </message>
    <message>
        <source>The agent changes the scene, which can be undone; it asks before everything else</source>
        <translation>Der Agent ändert die Szene, was rückgängig gemacht werden kann; vor allem anderen fragt er</translation>
    </message>
    <message>
        <source>The agent may</source>
        <translation>Der Agent darf</translation>
    </message>
    <message>
        <source>The centre and the angle stay.</source>
        <translation>Mitte und Winkel bleiben.</translation>
    </message>
    <message>
        <source>The centre stays.</source>
        <translation>Die Mitte bleibt.</translation>
    </message>
    <message>
        <source>The colours of the window; System is light or dark as the desktop is.</source>
        <translation>Die Farben des Fensters; System ist hell oder dunkel wie der Desktop.</translation>
    </message>
    <message>
        <source>The definition in this scene that the parts are made from.</source>
        <translation>Die Definition in dieser Szene, aus der die Teile entstehen.</translation>
    </message>
    <message>
        <source>The detector&apos;s own reading: power along its normal minus power against it.</source>
        <translation>Die Anzeige des Detektors: Leistung in Richtung seiner Normalen abzüglich der Leistung entgegen.</translation>
    </message>
    <message>
        <source>The end of the opening that faces the first outer end.</source>
        <translation>Das Ende der Öffnung, das dem ersten äußeren Ende zugewandt ist.</translation>
    </message>
    <message>
        <source>The end of the opening that faces the second outer end.</source>
        <translation>Das Ende der Öffnung, das dem zweiten äußeren Ende zugewandt ist.</translation>
    </message>
    <message>
        <source>The ends stay.</source>
        <translation>Die Enden bleiben.</translation>
    </message>
    <message>
        <source>The fan lies on both sides of the direction rather than on one.</source>
        <translation>Der Fächer liegt zu beiden Seiten der Richtung statt auf einer.</translation>
    </message>
    <message>
        <source>The fraction of the power that is transmitted.</source>
        <translation>Der durchgelassene Teil der Leistung.</translation>
    </message>
    <message>
        <source>The glass behind, of high dispersion.</source>
        <translation>Das hintere Glas, von hoher Dispersion.</translation>
    </message>
    <message>
        <source>The glass in front, of low dispersion.</source>
        <translation>Das vordere Glas, von niedriger Dispersion.</translation>
    </message>
    <message>
        <source>The language of the window from the next start on. Questions without a model, tools and files are in English.</source>
        <translation>Die Sprache des Fensters ab dem nächsten Start. Fragen ohne Modell, Werkzeuge und Dateien sind in Englisch.</translation>
    </message>
    <message>
        <source>The lower bound, in LaTeX, in half distances of the ends.</source>
        <translation>Die untere Grenze in LaTeX, in halben Abständen der Enden.</translation>
    </message>
    <message>
        <source>The name used by tools and people; it should be unique.</source>
        <translation>Der Name, den Werkzeuge und Personen verwenden; er sollte eindeutig sein.</translation>
    </message>
    <message>
        <source>The other end of the arc.</source>
        <translation>Das andere Ende des Bogens.</translation>
    </message>
    <message>
        <source>The other end of the blocker.</source>
        <translation>Das andere Ende des Absorbers.</translation>
    </message>
    <message>
        <source>The other end of the detector.</source>
        <translation>Das andere Ende des Detektors.</translation>
    </message>
    <message>
        <source>The other end of the element.</source>
        <translation>Das andere Ende des Elements.</translation>
    </message>
    <message>
        <source>The other end of the grating.</source>
        <translation>Das andere Ende des Gitters.</translation>
    </message>
    <message>
        <source>The other end of the lens.</source>
        <translation>Das andere Ende der Linse.</translation>
    </message>
    <message>
        <source>The other end of the mirror.</source>
        <translation>Das andere Ende des Spiegels.</translation>
    </message>
    <message>
        <source>The other end of the surface.</source>
        <translation>Das andere Ende der Fläche.</translation>
    </message>
    <message>
        <source>The other end; with the first end above it the beam goes right.</source>
        <translation>Das andere Ende; mit dem ersten Ende darüber geht das Bündel nach rechts.</translation>
    </message>
    <message>
        <source>The points from which the module positions its parts.</source>
        <translation>Die Punkte, von denen aus das Modul seine Teile setzt.</translation>
    </message>
    <message>
        <source>The polarized fraction of the power; the rest is unpolarized.</source>
        <translation>Der polarisierte Teil der Leistung; der Rest ist unpolarisiert.</translation>
    </message>
    <message>
        <source>The same retardance in waves for all wavelengths.</source>
        <translation>Die gleiche Verzögerung in Wellen für alle Wellenlängen.</translation>
    </message>
    <message>
        <source>The scene has no background picture.</source>
        <translation>Die Szene hat kein Hintergrundbild.</translation>
    </message>
    <message>
        <source>The scene has no lens system.</source>
        <translation>Die Szene hat kein Linsensystem.</translation>
    </message>
    <message>
        <source>The scene has no objects.</source>
        <translation>Die Szene hat keine Objekte.</translation>
    </message>
    <message>
        <source>The scene&apos;s colour mode</source>
        <translation>Der Farbmodus der Szene</translation>
    </message>
    <message>
        <source>The tabs and windows that were open when the program ended. Without, it begins with an example.</source>
        <translation>Die Tabs und Fenster, die am Ende des Programms offen waren. Sonst beginnt es mit einem Beispiel.</translation>
    </message>
    <message>
        <source>The unit of lengths in new scenes.</source>
        <translation>Die Längeneinheit in neuen Szenen.</translation>
    </message>
    <message>
        <source>The upper bound.</source>
        <translation>Die obere Grenze.</translation>
    </message>
    <message>
        <source>The value of each of the module&apos;s parameters.</source>
        <translation>Der Wert jedes Parameters des Moduls.</translation>
    </message>
    <message>
        <source>The vertex of the parabola.</source>
        <translation>Der Scheitel der Parabel.</translation>
    </message>
    <message>
        <source>The width that light enters through.</source>
        <translation>Die Breite, durch die Licht eintritt.</translation>
    </message>
    <message>
        <source>The window has one tab.</source>
        <translation>Das Fenster hat einen Tab.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>Thickness</source>
        <translation>Dicke</translation>
    </message>
    <message>
        <source>Thickness at the upper edge.</source>
        <translation>Dicke an der oberen Kante.</translation>
    </message>
    <message>
        <source>Thin edge</source>
        <translation>Dünner Rand</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Threads of a full trace.</source>
        <translation>Threads einer vollständigen Strahlverfolgung.</translation>
    </message>
    <message>
        <source>Three sides at 60°, to disperse light.</source>
        <translation>Drei Seiten unter 60°, um Licht zu zerlegen.</translation>
    </message>
    <message>
        <source>Time per frame while dragging</source>
        <translation>Zeit je Bild während des Ziehens</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>Toleranz</translation>
    </message>
    <message>
        <source>Tolerance…</source>
        <translation>Toleranz…</translation>
    </message>
    <message>
        <source>Top left corner</source>
        <translation>Ecke oben links</translation>
    </message>
    <message>
        <source>Top sides</source>
        <translation>Oberkanten</translation>
    </message>
    <message>
        <source>Total power</source>
        <translation>Gesamtleistung</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Berechnen</translation>
    </message>
    <message>
        <source>Trace</source>
        <comment>menu</comment>
        <translation>Be&amp;rechnen</translation>
    </message>
    <message>
        <source>Trace again</source>
        <translation>Neu berechnen</translation>
    </message>
    <message>
        <source>Tracing stops after this many segments; empty or 0 for no limit.</source>
        <translation>Die Strahlverfolgung endet nach so vielen Segmenten; leer oder 0 für keine Grenze.</translation>
    </message>
    <message>
        <source>Transformation</source>
        <translation>Transformation</translation>
    </message>
    <message>
        <source>Transmission</source>
        <translation>Transmission</translation>
    </message>
    <message>
        <source>Transmittance</source>
        <translation>Transmissionsgrad</translation>
    </message>
    <message>
        <source>Transmitted fraction of light across the axis: the transmittance over the extinction ratio.</source>
        <translation>Durchgelassener Teil des Lichts quer zur Achse: der Transmissionsgrad durch das Löschungsverhältnis.</translation>
    </message>
    <message>
        <source>Transmitted fraction of light along the axis.</source>
        <translation>Durchgelassener Teil des Lichts entlang der Achse.</translation>
    </message>
    <message>
        <source>Transparent</source>
        <translation>Durchsichtig</translation>
    </message>
    <message>
        <source>Turns a beam downwards by 90° exactly, however it is turned; two faces are mirrored.</source>
        <translation>Lenkt ein Bündel um genau 90° nach unten, wie er auch gedreht wird; zwei Flächen sind verspiegelt.</translation>
    </message>
    <message>
        <source>Turns a beam upwards by 90° by total reflection at its long face.</source>
        <translation>Lenkt ein Bündel durch Totalreflexion an seiner langen Seite um 90° nach oben.</translation>
    </message>
    <message>
        <source>Turns an image upside down without deviating the beam.</source>
        <translation>Stellt ein Bild auf den Kopf, ohne das Bündel abzulenken.</translation>
    </message>
    <message>
        <source>Two equal radii, for images near natural size; with a negative focal length it is biconcave.</source>
        <translation>Zwei gleiche Radien, für Abbildungen nahe natürlicher Größe; mit negativer Brennweite ist sie bikonkav.</translation>
    </message>
    <message>
        <source>Two-sided</source>
        <translation>Beidseitig</translation>
    </message>
    <message>
        <source>Unfinished</source>
        <translation>Unfertig</translation>
    </message>
    <message>
        <source>Ungroup</source>
        <translation>Gruppierung aufheben</translation>
    </message>
    <message>
        <source>Unlocked</source>
        <translation>Entsperrt</translation>
    </message>
    <message>
        <source>Unpolarized</source>
        <translation>Unpolarisiert</translation>
    </message>
    <message>
        <source>Vacuum wavelength that has the retardance.</source>
        <translation>Vakuumwellenlänge, bei der die Verzögerung gilt.</translation>
    </message>
    <message>
        <source>Vacuum wavelength; used where the scene simulates colours.</source>
        <translation>Vakuumwellenlänge; wirkt, wo die Szene Farben simuliert.</translation>
    </message>
    <message>
        <source>Vertex</source>
        <translation>Scheitel</translation>
    </message>
    <message>
        <source>Vertices and ends</source>
        <translation>Scheitel und Enden</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>View</source>
        <comment>menu</comment>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Vignetting</source>
        <translation>Vignettierung</translation>
    </message>
    <message>
        <source>Violet wavelength</source>
        <translation>Violette Wellenlänge</translation>
    </message>
    <message>
        <source>W</source>
        <translation>W</translation>
    </message>
    <message>
        <source>Wave plate</source>
        <translation>Wellenplatte</translation>
    </message>
    <message>
        <source>Wavefront, Strehl ratio</source>
        <translation>Wellenfront, Strehl-Zahl</translation>
    </message>
    <message>
        <source>Wedge angle</source>
        <translation>Keilwinkel</translation>
    </message>
    <message>
        <source>Wedge prism</source>
        <translation>Keilprisma</translation>
    </message>
    <message>
        <source>What dragging the grip does to what the handle holds; about the pivot.</source>
        <translation>Was das Ziehen des Griffs mit dem tut, was der Steuerpunkt hält; um den Drehpunkt.</translation>
    </message>
    <message>
        <source>What is drawn: rays, rays with extensions, images, or what an observer sees.</source>
        <translation>Was gezeichnet wird: Strahlen, verlängerte Strahlen, Bilder, oder was ein Beobachter sieht.</translation>
    </message>
    <message>
        <source>What the pointer is drawn to; Alt suspends it. The grid is a setting of each scene.</source>
        <translation>Woran der Zeiger einrastet; Alt setzt es aus. Das Raster ist eine Einstellung jeder Szene.</translation>
    </message>
    <message>
        <source>What this window and new ones let the agent do.</source>
        <translation>Was dieses Fenster und neue den Agenten tun lassen.</translation>
    </message>
    <message>
        <source>Where the ray starts.</source>
        <translation>Wo der Strahl beginnt.</translation>
    </message>
    <message>
        <source>Where the rays start.</source>
        <translation>Wo die Strahlen beginnen.</translation>
    </message>
    <message>
        <source>Where the screen begins.</source>
        <translation>Wo der Schirm beginnt.</translation>
    </message>
    <message>
        <source>Where the screen ends.</source>
        <translation>Wo der Schirm endet.</translation>
    </message>
    <message>
        <source>Where x and y of the formulas are 0.</source>
        <translation>Wo x und y der Formeln 0 sind.</translation>
    </message>
    <message>
        <source>Where x is -1 and y is 0.</source>
        <translation>Wo x gleich -1 und y gleich 0 ist.</translation>
    </message>
    <message>
        <source>Where x is 1 and y is 0; y is up for ends from left to right.</source>
        <translation>Wo x gleich 1 und y gleich 0 ist; y zeigt nach oben bei Enden von links nach rechts.</translation>
    </message>
    <message>
        <source>Whether new scenes show the grid.</source>
        <translation>Ob neue Szenen das Raster zeigen.</translation>
    </message>
    <message>
        <source>Widens a parallel beam, after Galilei or Kepler (with a focus inside).</source>
        <translation>Weitet ein paralleles Bündel auf, nach Galilei oder Kepler (mit einem Fokus im Inneren).</translation>
    </message>
    <message>
        <source>Width of a bin of the irradiance map.</source>
        <translation>Klassenbreite der Karte der Bestrahlungsstärke.</translation>
    </message>
    <message>
        <source>Width of the beam behind it, in widths of the beam before it.</source>
        <translation>Breite des Bündels dahinter, in Breiten des Bündels davor.</translation>
    </message>
    <message>
        <source>Width of the beam that comes in.</source>
        <translation>Breite des einfallenden Bündels.</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Window</source>
        <comment>menu</comment>
        <translation>&amp;Fenster</translation>
    </message>
    <message>
        <source>Without or with a focus inside.</source>
        <translation>Ohne oder mit einem Fokus im Inneren.</translation>
    </message>
    <message>
        <source>Write unsaved changes every</source>
        <translation>Ungespeicherte Änderungen schreiben alle</translation>
    </message>
    <message>
        <source>X</source>
        <translation>X</translation>
    </message>
    <message>
        <source>Y</source>
        <translation>Y</translation>
    </message>
    <message>
        <source>Zero</source>
        <translation>Null</translation>
    </message>
    <message>
        <source>Zero direction</source>
        <translation>Nullrichtung</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>a point on one leg</source>
        <translation>einen Punkt auf einem Schenkel</translation>
    </message>
    <message>
        <source>a point on the other leg</source>
        <translation>einen Punkt auf dem anderen Schenkel</translation>
    </message>
    <message>
        <source>a straight edge</source>
        <translation>eine gerade Kante</translation>
    </message>
    <message>
        <source>a surface where light meets it</source>
        <translation>eine Fläche, wo Licht sie trifft</translation>
    </message>
    <message>
        <source>all processors</source>
        <translation>alle Prozessoren</translation>
    </message>
    <message>
        <source>an edge that is an arc</source>
        <translation>eine Kante, die ein Bogen ist</translation>
    </message>
    <message>
        <source>another ray</source>
        <translation>einen anderen Strahl</translation>
    </message>
    <message>
        <source>another straight edge</source>
        <translation>eine andere gerade Kante</translation>
    </message>
    <message>
        <source>cm</source>
        <translation>cm</translation>
    </message>
    <message>
        <source>curveEndpoint, interactionMerging, interactionNormal, forwardDistance, rayPowerCutoff.</source>
        <translation>curveEndpoint, interactionMerging, interactionNormal, forwardDistance, rayPowerCutoff.</translation>
    </message>
    <message>
        <source>d, r1, r2: thickness and radii, r1 &gt; 0 &gt; r2 is biconvex, null is flat; or d, ffd, bfd: focal distances.</source>
        <translation>d, r1, r2: Dicke und Radien, r1 &gt; 0 &gt; r2 ist bikonvex, null ist eben; oder d, ffd, bfd: Brennpunktabstände.</translation>
    </message>
    <message>
        <source>eqnX, eqnY, tMin, tMax and tStep of each curve.</source>
        <translation>eqnX, eqnY, tMin, tMax und tStep jeder Kurve.</translation>
    </message>
    <message>
        <source>f(x)</source>
        <translation>f(x)</translation>
    </message>
    <message>
        <source>g(x)</source>
        <translation>g(x)</translation>
    </message>
    <message>
        <source>half of the machine&apos;s</source>
        <translation>die Hälfte des Rechners</translation>
    </message>
    <message>
        <source>in</source>
        <translation>in</translation>
    </message>
    <message>
        <source>lm</source>
        <translation>lm</translation>
    </message>
    <message>
        <source>m</source>
        <translation>m</translation>
    </message>
    <message>
        <source>mW</source>
        <translation>mW</translation>
    </message>
    <message>
        <source>million</source>
        <translation>Millionen</translation>
    </message>
    <message>
        <source>mm</source>
        <translation>mm</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>n of x and y (from the origin) and λ (nm; 540 without colours), in LaTeX.</source>
        <translation>n von x und y (ab dem Ursprung) und λ (nm; 540 ohne Farben), in LaTeX.</translation>
    </message>
    <message>
        <source>not refined</source>
        <translation>nicht verfeinert</translation>
    </message>
    <message>
        <source>nm</source>
        <translation>nm</translation>
    </message>
    <message>
        <source>Study</source>
        <comment>menu</comment>
        <translation>&amp;Studie</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>azimuth of its polarization about the ray, 0 for s, 90 for p; none for unpolarized or circular light</source>
        <translation>Azimut seiner Polarisation um den Strahl, 0 für s, 90 für p; keiner für unpolarisiertes oder zirkulares Licht</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>vollständig</translation>
    </message>
    <message>
        <source>degree of polarisation, 0 to 1</source>
        <translation>Polarisationsgrad, 0 bis 1</translation>
    </message>
    <message>
        <source>ellipticity of its polarization, -45 left circular, 0 linear, 45 right circular</source>
        <translation>Elliptizität seiner Polarisation, -45 links zirkular, 0 linear, 45 rechts zirkular</translation>
    </message>
    <message>
        <source>how it ended</source>
        <translation>Wie er endete</translation>
    </message>
    <message>
        <source>length along the path; infinite for an escaped ray</source>
        <translation>Länge entlang des Weges; unendlich für einen entwichenen Strahl</translation>
    </message>
    <message>
        <source>memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>name of the optical object at its end</source>
        <translation>Name des optischen Objekts an seinem Ende</translation>
    </message>
    <message>
        <source>one ray</source>
        <translation>einen Strahl</translation>
    </message>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>px</source>
        <translation>px</translation>
    </message>
    <message>
        <source>reduced</source>
        <translation>verringert</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>relativ</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>the first point</source>
        <translation>den ersten Punkt</translation>
    </message>
    <message>
        <source>the lens or mirror that focuses</source>
        <translation>die Linse oder den Spiegel, die fokussieren</translation>
    </message>
    <message>
        <source>the second point</source>
        <translation>den zweiten Punkt</translation>
    </message>
    <message>
        <source>the vertex</source>
        <translation>den Scheitel</translation>
    </message>
    <message>
        <source>turn</source>
        <translation>Zug</translation>
    </message>
    <message>
        <source>what it is about</source>
        <translation>worum es geht</translation>
    </message>
    <message>
        <source>what made it</source>
        <translation>Wodurch er entstand</translation>
    </message>
    <message>
        <source>where it ends, or in which direction it escapes (degrees, counter-clockwise as seen)</source>
        <translation>Wo er endet, oder in welche Richtung er entweicht (Grad, gegen den Uhrzeigersinn gesehen)</translation>
    </message>
    <message>
        <source>where its arc goes</source>
        <translation>die Stelle des Bogens</translation>
    </message>
    <message>
        <source>where its line goes</source>
        <translation>die Stelle der Maßlinie</translation>
    </message>
    <message>
        <source>where its text goes</source>
        <translation>die Stelle des Textes</translation>
    </message>
    <message>
        <source>where its value goes</source>
        <translation>die Stelle des Wertes</translation>
    </message>
    <message>
        <source>{objects} disabled: light passes</source>
        <translation>{objects} abgeschaltet: Licht geht hindurch</translation>
    </message>
    <message>
        <source>{objects} enabled</source>
        <translation>{objects} eingeschaltet</translation>
    </message>
    <message>
        <source>{objects} hidden</source>
        <translation>{objects} ausgeblendet</translation>
    </message>
    <message>
        <source>{objects} shown</source>
        <translation>{objects} eingeblendet</translation>
    </message>
    <message>
        <source>µW</source>
        <translation>µW</translation>
    </message>
    <message>
        <source>µm</source>
        <translation>µm</translation>
    </message>
    <message>
        <source>Tool call: {sentence}</source>
        <translation>Werkzeugaufruf: {sentence}</translation>
    </message>
    <message>
        <source>waits for the trace</source>
        <translation>wartet auf die Berechnung</translation>
    </message>
    <message>
        <source>{spent:.{digits}f} ms</source>
        <translation>{spent:.{digits}f} ms</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>Show in the study panel</source>
        <translation>Im Studienbereich zeigen</translation>
    </message>
    <message>
        <source>Run it there, with a plot whose points can be applied and exported</source>
        <translation>Dort ausführen, mit einem Diagramm, dessen Punkte angewendet und exportiert werden können</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Pin {measures}</source>
        <translation>{measures} anheften</translation>
    </message>
    <message>
        <source>Keep the value beside its object: it follows every change</source>
        <translation>Den Wert neben seinem Objekt behalten: Er folgt jeder Änderung</translation>
    </message>
    <message>
        <source>Change the scene?</source>
        <translation>Die Szene ändern?</translation>
    </message>
    <message>
        <source>Run {tool}? It cannot be undone.</source>
        <translation>{tool} ausführen? Es kann nicht rückgängig gemacht werden.</translation>
    </message>
    <message>
        <source>Run {tool}? It acts outside of the scene.</source>
        <translation>{tool} ausführen? Es wirkt außerhalb der Szene.</translation>
    </message>
    <message>
        <source>Approval: {title}</source>
        <translation>Genehmigung: {title}</translation>
    </message>
    <message>
        <source>Run {name}? {remedy}</source>
        <translation>{name} ausführen? {remedy}</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>Einmal erlauben</translation>
    </message>
    <message>
        <source>In this chat</source>
        <translation>In diesem Chat</translation>
    </message>
    <message>
        <source>Allow {name} until a new conversation begins, without asking again</source>
        <translation>{name} ohne weitere Frage erlauben, bis ein neues Gespräch beginnt</translation>
    </message>
    <message>
        <source>Why not?</source>
        <translation>Warum nicht?</translation>
    </message>
    <message>
        <source>Reason for declining</source>
        <translation>Grund der Ablehnung</translation>
    </message>
    <message>
        <source>The model is told</source>
        <translation>Das Modell erfährt es</translation>
    </message>
    <message>
        <source>Decline</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>No longer possible: {title}. {error}</source>
        <translation>Nicht mehr möglich: {title}. {error}</translation>
    </message>
    <message>
        <source>Allowed for this conversation</source>
        <translation>Für dieses Gespräch erlaubt</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>Erlaubt</translation>
    </message>
    <message>
        <source>{count} points</source>
        <translation>{count} Punkte</translation>
    </message>
    <message>
        <source>and 1 more change</source>
        <translation>und 1 weitere Änderung</translation>
    </message>
    <message>
        <source>and {more} more changes</source>
        <translation>und {more} weitere Änderungen</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>{rays}: click to highlight, double click (Z) to zoom.</source>
        <translation>{rays}: Klicken hebt hervor, Doppelklick (Z) zeigt groß.</translation>
    </message>
    <message>
        <source>Show all rows</source>
        <translation>Alle Zeilen zeigen</translation>
    </message>
    <message>
        <source>Arguments and result</source>
        <translation>Argumente und Ergebnis</translation>
    </message>
    <message>
        <source>The picture that the model saw</source>
        <translation>Das Bild, das das Modell sah</translation>
    </message>
    <message>
        <source>{values}
… {rest} more characters</source>
        <translation>{values}
… {rest} weitere Zeichen</translation>
    </message>
    <message>
        <source>… {count} more parts</source>
        <translation>… {count} weitere Teile</translation>
    </message>
    <message>
        <source>scene: the open document, as in rb.Scene; the changes of a cell are one step of its history
light: its light, and selection: the names of the selected objects, as they were before the cell
rb: raybench, np: numpy

</source>
        <translation>scene: das offene Dokument, wie in rb.Scene; die Änderungen einer Zelle sind ein Schritt seines Verlaufs
light: sein Licht, und selection: die Namen der ausgewählten Objekte, wie sie vor der Zelle waren
rb: raybench, np: numpy

</translation>
    </message>
    <message>
        <source>Reading the file</source>
        <translation>Das Lesen der Datei</translation>
    </message>
    <message>
        <source>Properties</source>
        <translation>Eigenschaften</translation>
    </message>
    <message>
        <source>Pinning the measure</source>
        <translation>Das Anheften des Maßes</translation>
    </message>
    <message>
        <source>Objects, library and history</source>
        <translation>Objekte, Bibliothek und Verlauf</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Properties and settings</source>
        <translation>Eigenschaften und Einstellungen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>{title} is locked and cannot be moved. Unlock it in its properties.</source>
        <translation>{title} ist gesperrt und kann nicht verschoben werden. Entsperren Sie es in den Eigenschaften.</translation>
    </message>
    <message>
        <source>{title} has no points to be moved by. Change it in its properties.</source>
        <translation>{title} hat keine Punkte zum Verschieben. Ändern Sie es in den Eigenschaften.</translation>
    </message>
    <message>
        <source>Canvas</source>
        <translation>Zeichenfläche</translation>
    </message>
    <message>
        <source>the repaint of the canvas</source>
        <translation>das Zeichnen der Zeichenfläche</translation>
    </message>
    <message>
        <source>the picture of the rays</source>
        <translation>das Bild der Strahlen</translation>
    </message>
    <message>
        <source>the full picture of the rays</source>
        <translation>das volle Bild der Strahlen</translation>
    </message>
    <message>
        <source>the extent of the light</source>
        <translation>die Ausdehnung des Lichts</translation>
    </message>
    <message>
        <source>the background</source>
        <translation>der Hintergrund</translation>
    </message>
    <message>
        <source>the measurements</source>
        <translation>die Messungen</translation>
    </message>
    <message>
        <source>the picture of the objects</source>
        <translation>das Bild der Objekte</translation>
    </message>
    <message>
        <source>About an earlier state of the scene: undo, or ask again.</source>
        <translation>Über einen früheren Zustand der Szene: Machen Sie rückgängig, oder fragen Sie neu.</translation>
    </message>
    <message>
        <source>About another state of the scene, or by another version of Raybench: ask again.</source>
        <translation>Über einen anderen Zustand der Szene, oder von einer anderen Version von Raybench: Fragen Sie neu.</translation>
    </message>
    <message>
        <source>Trying again ({reason}) …</source>
        <translation>Neuer Versuch ({reason}) …</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Sources: {names}</source>
        <translation>Quellen: {names}</translation>
    </message>
    <message>
        <source>Not answered: {what}</source>
        <translation>Nicht beantwortet: {what}</translation>
    </message>
    <message>
        <source>Changed: {words}</source>
        <translation>Geändert: {words}</translation>
    </message>
    <message>
        <source>Revert this {what}</source>
        <translation>Zurücknehmen: {what}</translation>
    </message>
    <message>
        <source>Take back what this {what} changed, except what was changed since</source>
        <translation>Zurücknehmen, was geändert wurde ({what}), außer dem, was sich seitdem geändert hat</translation>
    </message>
    <message>
        <source>Reverted</source>
        <translation>Zurückgenommen</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>Rückgängig gemacht</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source> Not reverted, since changed in the meantime: {names}.</source>
        <translation> Nicht zurückgenommen, da inzwischen geändert: {names}.</translation>
    </message>
    <message>
        <source>There is no crop box in this scene. Add one, or export the area &apos;scene&apos;.</source>
        <translation>Diese Szene hat keinen Ausschnittrahmen. Fügen Sie einen hinzu, oder exportieren Sie den Bereich &apos;scene&apos;.</translation>
    </message>
    <message>
        <source>A picture of {width} x {height} pixels does not fit into memory. Choose a smaller size.</source>
        <translation>Ein Bild von {width} x {height} Pixeln passt nicht in den Speicher. Wählen Sie eine kleinere Größe.</translation>
    </message>
    <message>
        <source>The figure cannot be written. Choose another size.</source>
        <translation>Die Abbildung kann nicht geschrieben werden. Wählen Sie eine andere Größe.</translation>
    </message>
    <message>
        <source>{name}: only a PNG picture is refined. Write to .png, or do not refine it.</source>
        <translation>{name}: Nur ein PNG-Bild wird verfeinert. Schreiben Sie in .png, oder verfeinern Sie es nicht.</translation>
    </message>
    <message>
        <source>There is no light to export yet. Wait until the scene is traced.</source>
        <translation>Es gibt noch kein Licht zu exportieren. Warten Sie, bis die Szene berechnet ist.</translation>
    </message>
    <message>
        <source>Reading the measurements</source>
        <translation>Das Lesen der Messungen</translation>
    </message>
    <message>
        <source>{draws} draws, ± {error} %</source>
        <translation>{draws} Ziehungen, ± {error} %</translation>
    </message>
    <message>
        <source>Refining the light</source>
        <translation>Das Verfeinern des Lichts</translation>
    </message>
    <message>
        <source>relative power per {length}</source>
        <translation>relative Leistung je {length}</translation>
    </message>
    <message>
        <source>relative power</source>
        <translation>relative Leistung</translation>
    </message>
    <message>
        <source>{texts} and {count} more</source>
        <translation>{texts} und {count} weitere</translation>
    </message>
    <message>
        <source>has no effect: it lies in one point. Move its ends apart.</source>
        <translation>hat keine Wirkung: Alles liegt in einem Punkt. Ziehen Sie die Enden auseinander.</translation>
    </message>
    <message>
        <source>has no outline: it has no pieces. Give at least one.</source>
        <translation>hat keinen Umriss: Es gibt keine Teilstücke. Geben Sie mindestens eines an.</translation>
    </message>
    <message>
        <source>has no outline: its curve has {count} nodes. Give at least 2.</source>
        <translation>hat keinen Umriss: Die Kurve hat {count} Knoten. Geben Sie mindestens 2 an.</translation>
    </message>
    <message>
        <source>has nothing to draw: its strokes have no points.</source>
        <translation>hat nichts zu zeichnen: Die Striche haben keine Punkte.</translation>
    </message>
    <message>
        <source>has no irradiance map: binSize is {bin_size:g}, which does not give 1 to {most:,} bins</source>
        <translation>hat keine Karte der Bestrahlungsstärke: binSize ist {bin_size:g}, was nicht 1 bis {most:,} Klassen ergibt</translation>
    </message>
    <message>
        <source>{fault}.</source>
        <translation>{fault}.</translation>
    </message>
    <message>
        <source>absorbs all light at its surface: refIndex is {ref_index:g}. Give another index.</source>
        <translation>absorbiert alles Licht an der Oberfläche: refIndex ist {ref_index:g}. Geben Sie eine andere Brechzahl an.</translation>
    </message>
    <message>
        <source>does not close: its outline has a gap of {gap:.3g}, so inside and outside cannot be distinguished. Close it.</source>
        <translation>schließt sich nicht: Der Umriss hat eine Lücke von {gap:.3g}, so dass innen und außen nicht zu unterscheiden sind. Schließen Sie ihn.</translation>
    </message>
    <message>
        <source>encloses no area: its sides lie on each other. Move its points apart.</source>
        <translation>umschließt keine Fläche: Die Seiten liegen aufeinander. Schieben Sie die Punkte auseinander.</translation>
    </message>
    <message>
        <source>runs counter-clockwise as seen, so its inside and outside are swapped for light. Write -t for t in its formulas, and change tMin and tMax accordingly.</source>
        <translation>läuft gegen den Uhrzeigersinn, so dass innen und außen für Licht vertauscht sind. Schreiben Sie in den Formeln -t statt t, und ändern Sie tMin und tMax entsprechend.</translation>
    </message>
    <message>
        <source>has no effect: lineDensity is {line_density:g}. Give a number of lines above 0.</source>
        <translation>hat keine Wirkung: lineDensity ist {line_density:g}. Geben Sie eine Zahl von Linien über 0 an.</translation>
    </message>
    <message>
        <source>has impossible slits: slitRatio is {slit_ratio:g}, but a fraction is from 0 to 1.</source>
        <translation>hat unmögliche Spalte: slitRatio ist {slit_ratio:g}, ein Anteil liegt aber zwischen 0 und 1.</translation>
    </message>
    <message>
        <source>gives orders negative power: see brightnesses.</source>
        <translation>gibt Ordnungen negative Leistung: siehe brightnesses.</translation>
    </message>
    <message>
        <source>has no outline: its params lack {names}. Give what is missing.</source>
        <translation>hat keinen Umriss: In params fehlt {names}. Ergänzen Sie das Fehlende.</translation>
    </message>
    <message>
        <source>has no outline: no lens fits its definition. Give a thickness, and radii that reach from rim to rim.</source>
        <translation>hat keinen Umriss: Keine Linse passt zu den Daten. Geben Sie eine Dicke an, und Radien, die von Rand zu Rand reichen.</translation>
    </message>
    <message>
        <source>absorbs all light: focalLength is 0. Give another focal length.</source>
        <translation>absorbiert alles Licht: focalLength ist 0. Geben Sie eine andere Brennweite an.</translation>
    </message>
    <message>
        <source>does not conserve power: transRatio is {trans_ratio:g}, but a fraction is from 0 to 1.</source>
        <translation>erhält die Leistung nicht: transRatio ist {trans_ratio:g}, ein Anteil liegt aber zwischen 0 und 1.</translation>
    </message>
    <message>
        <source>{name} ({noun})</source>
        <translation>{name} ({noun})</translation>
    </message>
    <message>
        <source>has no effect: {error}</source>
        <translation>hat keine Wirkung: {error}</translation>
    </message>
    <message>
        <source>has no effect: {field} is {value:g}; give a fraction from 0 to 1.</source>
        <translation>hat keine Wirkung: {field} ist {value:g}; geben Sie einen Anteil zwischen 0 und 1 an.</translation>
    </message>
    <message>
        <source>emits nothing: emisAngle is {emis_angle:g}. Give an angle of 0° or more.</source>
        <translation>strahlt nichts ab: emisAngle ist {emis_angle:g}. Geben Sie einen Winkel von mindestens 0° an.</translation>
    </message>
    <message>
        <source>emits negative power: brightness is {brightness:g}.</source>
        <translation>strahlt negative Leistung ab: brightness ist {brightness:g}.</translation>
    </message>
    <message>
        <source>has no colour: wavelength is {wavelength:g} nm, which must be above 0 where colours are simulated.</source>
        <translation>hat keine Farbe: wavelength ist {wavelength:g} nm und muss größer als 0 sein, wo Farben simuliert werden.</translation>
    </message>
    <message>
        <source>has no direction, since its points coincide; it emits to the right.</source>
        <translation>hat keine Richtung, da die Punkte zusammenfallen; die Abstrahlung geht nach rechts.</translation>
    </message>
    <message>
        <source>emits in some directions more than once: emisAngle is {emis_angle:g}°, more than a full turn.</source>
        <translation>strahlt in manche Richtungen mehrfach: emisAngle ist {emis_angle:g}°, mehr als eine volle Drehung.</translation>
    </message>
    <message>
        <source>configuration {index}</source>
        <translation>Konfiguration {index}</translation>
    </message>
    <message>
        <source>{before} -&gt; {after} surfaces</source>
        <translation>{before} -&gt; {after} Flächen</translation>
    </message>
    <message>
        <source>{label} {before} -&gt; {after}</source>
        <translation>{label} {before} -&gt; {after}</translation>
    </message>
    <message>
        <source>surface {row} a mirror</source>
        <translation>Fläche {row} ein Spiegel</translation>
    </message>
    <message>
        <source>surface {row} no mirror</source>
        <translation>Fläche {row} kein Spiegel</translation>
    </message>
    <message>
        <source>links</source>
        <translation>Übernahmen und Bedingungen</translation>
    </message>
    <message>
        <source>merit</source>
        <translation>Gütemaß</translation>
    </message>
    <message>
        <source>configurations</source>
        <translation>Konfigurationen</translation>
    </message>
    <message>
        <source>{value:.6g}</source>
        <translation>{value:.6g}</translation>
    </message>
    <message>
        <source>no light here</source>
        <translation>kein Licht hier</translation>
    </message>
    <message>
        <source>no object here</source>
        <translation>kein Objekt hier</translation>
    </message>
    <message>
        <source>not traced yet</source>
        <translation>noch nicht berechnet</translation>
    </message>
    <message>
        <source>{value:.5g}</source>
        <translation>{value:.5g}</translation>
    </message>
    <message>
        <source>{value:.{digits}f}</source>
        <translation>{value:.{digits}f}</translation>
    </message>
    <message>
        <source>{value:.{digits}f}°</source>
        <translation>{value:.{digits}f}°</translation>
    </message>
    <message>
        <source>{length} {unit}</source>
        <translation>{length} {unit}</translation>
    </message>
    <message>
        <source>no angle</source>
        <translation>kein Winkel</translation>
    </message>
    <message>
        <source>no straight edge here</source>
        <translation>keine gerade Kante hier</translation>
    </message>
    <message>
        <source>no arc here</source>
        <translation>kein Bogen hier</translation>
    </message>
    <message>
        <source>R {length} {unit}</source>
        <translation>R {length} {unit}</translation>
    </message>
    <message>
        <source>({x}, {y}) {unit}</source>
        <translation>({x}; {y}) {unit}</translation>
    </message>
    <message>
        <source>no focus</source>
        <translation>kein Brennpunkt</translation>
    </message>
    <message>
        <source>{first}, {then}</source>
        <translation>{first}, {then}</translation>
    </message>
    <message>
        <source>an object that it names was deleted</source>
        <translation>ein Objekt, das es nennt, wurde gelöscht</translation>
    </message>
    <message>
        <source>{name} {number}</source>
        <translation>{name} {number}</translation>
    </message>
    <message>
        <source>undefined</source>
        <translation>nicht definiert</translation>
    </message>
    <message>
        <source>{value:.{digits}f}{unit}</source>
        <translation>{value:.{digits}f}{unit}</translation>
    </message>
    <message>
        <source>{objects}: edge {edge} without a label</source>
        <translation>{objects}: Kante {edge} ohne Namen</translation>
    </message>
    <message>
        <source>{objects}: edge {edge} labelled {label}</source>
        <translation>{objects}: Kante {edge} {label} genannt</translation>
    </message>
    <message>
        <source>{objects} grouped as {name}</source>
        <translation>{objects} als {name} gruppiert</translation>
    </message>
    <message>
        <source>{objects} ungrouped</source>
        <translation>Gruppierung von {objects} aufgehoben</translation>
    </message>
    <message>
        <source>{edges} coated with {name}</source>
        <translation>{edges} mit {name} beschichtet</translation>
    </message>
    <message>
        <source>film {film:g} {thickness:g} nm thick</source>
        <translation>Schicht {film:g} {thickness:g} nm dick</translation>
    </message>
    <message>
        <source>{edges} {film}</source>
        <translation>{edges} {film}</translation>
    </message>
    <message>
        <source>{edges} without a coating</source>
        <translation>{edges} ohne Beschichtung</translation>
    </message>
    <message>
        <source>{objects} duplicated</source>
        <translation>{objects} dupliziert</translation>
    </message>
    <message>
        <source>{done} {count:g} times</source>
        <translation>{done}, {count:g}-mal</translation>
    </message>
    <message>
        <source>{done} as {name}</source>
        <translation>{done} als {name}</translation>
    </message>
    <message>
        <source>{edges} without a finish</source>
        <translation>{edges} ohne Oberflächenangabe</translation>
    </message>
    <message>
        <source>{edges} finished: {finish}</source>
        <translation>{edges}, Oberfläche: {finish}</translation>
    </message>
    <message>
        <source>{name} unlinked</source>
        <translation>Kopplung von {name} gelöst</translation>
    </message>
    <message>
        <source>{name} linked: = {expression}</source>
        <translation>{name} gekoppelt: = {expression}</translation>
    </message>
    <message>
        <source>{objects} without a material</source>
        <translation>{objects} ohne Material</translation>
    </message>
    <message>
        <source>nearest glasses</source>
        <translation>nächste Gläser</translation>
    </message>
    <message>
        <source>{objects}: material {name}</source>
        <translation>{objects}: Material {name}</translation>
    </message>
    <message>
        <source>Modules {names} defined</source>
        <translation>Module {names} definiert</translation>
    </message>
    <message>
        <source>Module {name} defined</source>
        <translation>Modul {name} definiert</translation>
    </message>
    <message>
        <source>Module {name} removed</source>
        <translation>Modul {name} entfernt</translation>
    </message>
    <message>
        <source>{objects} made the module {name}</source>
        <translation>{objects} zum Modul {name} gemacht</translation>
    </message>
    <message>
        <source>{done}, here {instance}</source>
        <translation>{done}, hier {instance}</translation>
    </message>
    <message>
        <source>{objects} broken up into parts</source>
        <translation>{objects} in Teile aufgelöst</translation>
    </message>
    <message>
        <source>{count} objects added</source>
        <translation>{count} Objekte hinzugefügt</translation>
    </message>
    <message>
        <source>{objects} added</source>
        <translation>{objects} hinzugefügt</translation>
    </message>
    <message>
        <source>{kind} {name} added</source>
        <translation>{kind} {name} hinzugefügt</translation>
    </message>
    <message>
        <source>{objects} deleted</source>
        <translation>{objects} gelöscht</translation>
    </message>
    <message>
        <source>{objects} reordered</source>
        <translation>{objects} umgeordnet</translation>
    </message>
    <message>
        <source>({x:z.6g}, {y:z.6g}) {unit}</source>
        <translation>({x:z.6g}; {y:z.6g}) {unit}</translation>
    </message>
    <message>
        <source>{objects} moved by {by}</source>
        <translation>{objects} um {by} verschoben</translation>
    </message>
    <message>
        <source>{objects} moved to {to}</source>
        <translation>{objects} nach {to} verschoben</translation>
    </message>
    <message>
        <source>{done} and by {by}</source>
        <translation>{done} und um {by}</translation>
    </message>
    <message>
        <source>{done} about {place}</source>
        <translation>{done} um {place}</translation>
    </message>
    <message>
        <source>{objects} turned by {angle} clockwise</source>
        <translation>{objects} um {angle} im Uhrzeigersinn gedreht</translation>
    </message>
    <message>
        <source>{objects} turned by {angle} counter-clockwise</source>
        <translation>{objects} um {angle} gegen den Uhrzeigersinn gedreht</translation>
    </message>
    <message>
        <source>{objects} scaled by {factor:.6g}</source>
        <translation>{objects} um den Faktor {factor:.6g} skaliert</translation>
    </message>
    <message>
        <source>a vertical line</source>
        <translation>einer Senkrechten</translation>
    </message>
    <message>
        <source>a horizontal line</source>
        <translation>einer Waagerechten</translation>
    </message>
    <message>
        <source>a line at {angle}</source>
        <translation>einer Linie unter {angle}</translation>
    </message>
    <message>
        <source>{objects} mirrored at {line}</source>
        <translation>{objects} an {line} gespiegelt</translation>
    </message>
    <message>
        <source>{objects} made a part</source>
        <translation>{objects} zu einem Teil gemacht</translation>
    </message>
    <message>
        <source>{value:.6g}{unit}</source>
        <translation>{value:.6g}{unit}</translation>
    </message>
    <message>
        <source>{objects} rewritten</source>
        <translation>{objects} neu geschrieben</translation>
    </message>
    <message>
        <source>{objects}: {changes}</source>
        <translation>{objects}: {changes}</translation>
    </message>
    <message>
        <source>no name</source>
        <translation>keinen Namen</translation>
    </message>
    <message>
        <source>{objects} locked</source>
        <translation>{objects} gesperrt</translation>
    </message>
    <message>
        <source>{objects} unlocked</source>
        <translation>{objects} entsperrt</translation>
    </message>
    <message>
        <source>{label} stays {value}</source>
        <translation>{label} bleibt {value}</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>{label} -&gt; {after}</source>
        <translation>{label} -&gt; {after}</translation>
    </message>
    <message>
        <source>Settings: {changes}</source>
        <translation>Einstellungen: {changes}</translation>
    </message>
    <message>
        <source>material</source>
        <translation>Material</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>added ({noun})</source>
        <translation>neu ({noun})</translation>
    </message>
    <message>
        <source>disabled</source>
        <translation>durchlässig</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>ausgeblendet</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>label</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>{noun} of edge {edge}</source>
        <translation>{noun} der Kante {edge}</translation>
    </message>
    <message>
        <source>Group {name}</source>
        <translation>Gruppe {name}</translation>
    </message>
    <message>
        <source>objects</source>
        <translation>Objekte</translation>
    </message>
    <message>
        <source>Measurement {name}</source>
        <translation>Messung {name}</translation>
    </message>
    <message>
        <source>points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>View {name}</source>
        <translation>Ansicht {name}</translation>
    </message>
    <message>
        <source>area</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Link {name}</source>
        <translation>Kopplung {name}</translation>
    </message>
    <message>
        <source>formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>in force</source>
        <translation>gelten</translation>
    </message>
    <message>
        <source>none: its objects are free</source>
        <translation>keine: die Objekte sind frei</translation>
    </message>
    <message>
        <source>added: {text}</source>
        <translation>neu: {text}</translation>
    </message>
    <message>
        <source>unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>unit of power</source>
        <translation>Einheit der Leistung</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>definition</source>
        <translation>Definition</translation>
    </message>
    <message>
        <source>Study {name}</source>
        <translation>Studie {name}</translation>
    </message>
    <message>
        <source>Slider {name}</source>
        <translation>Schieberegler {name}</translation>
    </message>
    <message>
        <source>range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Kept entry {name}</source>
        <translation>Behaltener Eintrag {name}</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>defined</source>
        <translation>definiert</translation>
    </message>
    <message>
        <source>redefined</source>
        <translation>neu definiert</translation>
    </message>
    <message>
        <source>background</source>
        <translation>Hintergrundbild</translation>
    </message>
    <message>
        <source>sheet</source>
        <translation>Blatt</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Dokument</translation>
    </message>
    <message>
        <source>scene named {name}</source>
        <translation>Szene {name} genannt</translation>
    </message>
    <message>
        <source>scene without a name</source>
        <translation>Szene ohne Namen</translation>
    </message>
    <message>
        <source>study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>background {file}</source>
        <translation>Hintergrund {file}</translation>
    </message>
    <message>
        <source>no background</source>
        <translation>kein Hintergrund</translation>
    </message>
    <message>
        <source>{name} changed</source>
        <translation>{name} geändert</translation>
    </message>
    <message>
        <source>{name} measured</source>
        <translation>{name} gemessen</translation>
    </message>
    <message>
        <source>{name} removed</source>
        <translation>{name} entfernt</translation>
    </message>
    <message>
        <source>view</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>sheet changed</source>
        <translation>Blatt geändert</translation>
    </message>
    <message>
        <source>no sheet</source>
        <translation>kein Blatt</translation>
    </message>
    <message>
        <source>slider</source>
        <translation>Schieberegler</translation>
    </message>
    <message>
        <source>{name} kept</source>
        <translation>{name} behalten</translation>
    </message>
    <message>
        <source>Document: {changes}</source>
        <translation>Dokument: {changes}</translation>
    </message>
    <message>
        <source>{what} {name} saved</source>
        <translation>{what} {name} gespeichert</translation>
    </message>
    <message>
        <source>{what} {name} removed</source>
        <translation>{what} {name} entfernt</translation>
    </message>
    <message>
        <source>no {what} changed</source>
        <translation>{what}: nichts geändert</translation>
    </message>
    <message>
        <source>{changes} and 1 more change</source>
        <translation>{changes} und 1 weitere Änderung</translation>
    </message>
    <message>
        <source>{changes} and {more} more changes</source>
        <translation>{changes} und {more} weitere Änderungen</translation>
    </message>
    <message>
        <source>{changes}; the objects of {names} are free now</source>
        <translation>{changes}; die Objekte von {names} sind jetzt frei</translation>
    </message>
    <message>
        <source>{changes}; {names} unlinked</source>
        <translation>{changes}; Kopplung von {names} gelöst</translation>
    </message>
    <message>
        <source>{objects}: all edges</source>
        <translation>{objects}: alle Kanten</translation>
    </message>
    <message>
        <source>{objects}: edge {edge}</source>
        <translation>{objects}: Kante {edge}</translation>
    </message>
    <message>
        <source>{label}{rest}</source>
        <translation>{label}{rest}</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>({x:.6g}, {y:.6g})</source>
        <translation>({x:.6g}; {y:.6g})</translation>
    </message>
    <message>
        <source>{point} {unit}</source>
        <translation>{point} {unit}</translation>
    </message>
    <message>
        <source>{label} {value}</source>
        <translation>{label} {value}</translation>
    </message>
    <message>
        <source>1 item</source>
        <translation>1 Eintrag</translation>
    </message>
    <message>
        <source>{count} items</source>
        <translation>{count} Einträge</translation>
    </message>
    <message>
        <source>{label} {part}</source>
        <translation>{label} {part}</translation>
    </message>
    <message>
        <source>{object} is kept but has no effect: {reason}</source>
        <translation>{object} wird behalten, hat aber keine Wirkung: {reason}</translation>
    </message>
    <message>
        <source>Delete it</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>{object} {fault}</source>
        <translation>{object} {fault}</translation>
    </message>
    <message>
        <source>{object}: unknown property {name} is kept but has no effect.</source>
        <translation>{object}: Die unbekannte Eigenschaft {name} wird behalten, hat aber keine Wirkung.</translation>
    </message>
    <message>
        <source>at least {limit:g}</source>
        <translation>mindestens {limit:g}</translation>
    </message>
    <message>
        <source>at most {limit:g}</source>
        <translation>höchstens {limit:g}</translation>
    </message>
    <message>
        <source>{object}: {field} is {value:g}, out of its range. Give {bound}.</source>
        <translation>{object}: {field} ist {value:g}, außerhalb des Bereichs. Geben Sie {bound} an.</translation>
    </message>
    <message>
        <source>Set {value:g}</source>
        <translation>{value:g} setzen</translation>
    </message>
    <message>
        <source>Remove one</source>
        <translation>Einen entfernen</translation>
    </message>
    <message>
        <source>{object} has two edges labelled {name}, so that the label refers to neither. Change one.</source>
        <translation>{object} hat zwei Kanten mit dem Namen {name}, so dass er keine von beiden bezeichnet. Ändern Sie einen.</translation>
    </message>
    <message>
        <source>{object} emits nothing: its power is 0. Give it power.</source>
        <translation>{object} strahlt nichts ab: Die Leistung ist 0. Geben Sie eine Leistung an.</translation>
    </message>
    <message>
        <source>Set 1</source>
        <translation>1 setzen</translation>
    </message>
    <message>
        <source>{object} is too thin for its aperture: its surfaces cross at the rim. Make it thicker.</source>
        <translation>{object} ist zu dünn für den Durchmesser: Die Flächen schneiden sich am Rand. Erhöhen Sie die Dicke.</translation>
    </message>
    <message>
        <source>{object} crosses itself: where its sides cross, inside and outside change places. Move its points.</source>
        <translation>{object} überschneidet sich selbst: Wo sich die Seiten kreuzen, vertauschen sich innen und außen. Verschieben Sie die Punkte.</translation>
    </message>
    <message>
        <source>Make it {thickness:g} thick</source>
        <translation>Dicke {thickness:g} setzen</translation>
    </message>
    <message>
        <source>Make the radii {reach:g}</source>
        <translation>Radien {reach:g} setzen</translation>
    </message>
    <message>
        <source>Delete the second</source>
        <translation>Das zweite löschen</translation>
    </message>
    <message>
        <source>{object} is the same as {name} and lies on it. Delete one of the two.</source>
        <translation>{object} ist gleich {name} und liegt darauf. Löschen Sie eines der beiden.</translation>
    </message>
    <message>
        <source>{object} has the name of another object, so that the name refers to neither. Rename one of the two.</source>
        <translation>{object} hat den Namen eines anderen Objekts, so dass der Name keines von beiden bezeichnet. Benennen Sie eines um.</translation>
    </message>
    <message>
        <source>Name it {name}</source>
        <translation>{name} nennen</translation>
    </message>
    <message>
        <source>{object} lies on {name}: which of them light meets is not defined. Move one of them.</source>
        <translation>{object} liegt auf {name}: Welches von beiden das Licht trifft, ist nicht bestimmt. Verschieben Sie eines.</translation>
    </message>
    <message>
        <source>Move it by 1</source>
        <translation>Um 1 verschieben</translation>
    </message>
    <message>
        <source>{object} is less dense than vacuum: refIndex is {ref_index:g}, and no glass is around it. Give 1 or more.</source>
        <translation>{object} ist optisch dünner als Vakuum: refIndex ist {ref_index:g}, und kein Glas umgibt es. Geben Sie mindestens 1 an.</translation>
    </message>
    <message>
        <source>Unknown setting {name} is kept but has no effect.</source>
        <translation>Die unbekannte Einstellung {name} wird behalten, hat aber keine Wirkung.</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>The largest depth (maxRayDepth) is {given:g}: as with 0, rays end where they first meet something.</source>
        <translation>Die größte Tiefe (maxRayDepth) ist {given:g}: Wie bei 0 enden Strahlen, wo sie zuerst auf etwas treffen.</translation>
    </message>
    <message>
        <source>Remove the limit</source>
        <translation>Grenze entfernen</translation>
    </message>
    <message>
        <source>Module {name} is kept but cannot be used: {trouble}.</source>
        <translation>Modul {name} wird behalten, ist aber nicht verwendbar: {trouble}.</translation>
    </message>
    <message>
        <source>Module {name}: unknown property {property} is kept but has no effect.</source>
        <translation>Modul {name}: Die unbekannte Eigenschaft {property} wird behalten, hat aber keine Wirkung.</translation>
    </message>
    <message>
        <source>Unknown entry {name} of the document&apos;s file is kept but has no effect.</source>
        <translation>Der unbekannte Eintrag {name} der Datei wird behalten, hat aber keine Wirkung.</translation>
    </message>
    <message>
        <source>{name}: {count} more problems of its parts.</source>
        <translation>{name}: {count} weitere Probleme der Teile.</translation>
    </message>
    <message>
        <source>{reason}. It is kept but has no parts.</source>
        <translation>{reason}. Die Instanz wird behalten, hat aber keine Teile.</translation>
    </message>
    <message>
        <source>its module makes none with these points and parameters</source>
        <translation>das Modul erzeugt mit diesen Punkten und Parametern keine</translation>
    </message>
    <message>
        <source>{object} has no parts: {why}. Change them or the module, or delete it.</source>
        <translation>{object} hat keine Teile: {why}. Ändern Sie diese oder das Modul, oder löschen Sie die Instanz.</translation>
    </message>
    <message>
        <source>is kept but has no effect: {reason}</source>
        <translation>wird behalten, hat aber keine Wirkung: {reason}</translation>
    </message>
    <message>
        <source>{name} reloaded</source>
        <translation>{name} neu geladen</translation>
    </message>
    <message>
        <source>Reverted: {changes}</source>
        <translation>Zurückgenommen: {changes}</translation>
    </message>
    <message>
        <source>{name} ({noun}, object {place} of the file)</source>
        <translation>{name} ({noun}, Objekt {place} der Datei)</translation>
    </message>
    <message>
        <source>it has no &apos;type&apos;</source>
        <translation>es hat keinen Eintrag „type“</translation>
    </message>
    <message>
        <source>objects of type {type_name} are not supported</source>
        <translation>Objekte des Typs {type_name} werden nicht unterstützt</translation>
    </message>
    <message>
        <source>it is not finished: &apos;{name}&apos; is missing</source>
        <translation>es ist nicht fertig: „{name}“ fehlt</translation>
    </message>
    <message>
        <source>it is not finished</source>
        <translation>es ist nicht fertig</translation>
    </message>
    <message>
        <source>{name} is how far it is turned</source>
        <translation>{name} ist die Drehung</translation>
    </message>
    <message>
        <source>{name} is how far it is moved</source>
        <translation>{name} ist die Verschiebung</translation>
    </message>
    <message>
        <source>{motions} from where it stands.</source>
        <translation>{motions} gegenüber der jetzigen Lage.</translation>
    </message>
    <message>
        <source>Radius of surface {row}</source>
        <translation>Radius von Fläche {row}</translation>
    </message>
    <message>
        <source>Curvature of surface {row}</source>
        <translation>Krümmung von Fläche {row}</translation>
    </message>
    <message>
        <source>Distance behind surface {row}</source>
        <translation>Abstand hinter Fläche {row}</translation>
    </message>
    <message>
        <source>Conic constant of surface {row}</source>
        <translation>Konische Konstante von Fläche {row}</translation>
    </message>
    <message>
        <source>Semi-diameter of surface {row}</source>
        <translation>Halbdurchmesser von Fläche {row}</translation>
    </message>
    <message>
        <source>Medium behind surface {row}</source>
        <translation>Medium hinter Fläche {row}</translation>
    </message>
    <message>
        <source>Index behind surface {row}</source>
        <translation>Brechzahl hinter Fläche {row}</translation>
    </message>
    <message>
        <source>Field {row}</source>
        <translation>Feld {row}</translation>
    </message>
    <message>
        <source>Object distance</source>
        <translation>Objektabstand</translation>
    </message>
    <message>
        <source>Radius of the image surface</source>
        <translation>Radius der Bildfläche</translation>
    </message>
    <message>
        <source>Coefficient of y^{power} of surface {row}</source>
        <translation>Koeffizient von y^{power} von Fläche {row}</translation>
    </message>
    <message>
        <source>{name} is disabled, so it is left out.</source>
        <translation>{name} ist abgeschaltet und entfällt.</translation>
    </message>
    <message>
        <source>The unit of power is left out.</source>
        <translation>Die Leistungseinheit entfällt.</translation>
    </message>
    <message>
        <source>Powers are relative: 1 is {full:.6g} {unit}.</source>
        <translation>Leistungen sind relativ: 1 ist {full:.6g} {unit}.</translation>
    </message>
    <message>
        <source>Parts of modules lose what is not in the module: {names}.</source>
        <translation>Teile von Modulen verlieren, was nicht im Modul steht: {names}.</translation>
    </message>
    <message>
        <source>Labels of edges are left out</source>
        <translation>Beschriftungen von Kanten entfallen</translation>
    </message>
    <message>
        <source>Groups are left out</source>
        <translation>Gruppen entfallen</translation>
    </message>
    <message>
        <source>Hidden objects are shown</source>
        <translation>Verborgene Objekte werden gezeigt</translation>
    </message>
    <message>
        <source>Measurements are left out</source>
        <translation>Messungen entfallen</translation>
    </message>
    <message>
        <source>Saved views are left out</source>
        <translation>Gespeicherte Ansichten entfallen</translation>
    </message>
    <message>
        <source>Objects stay without the data of their preset or lens</source>
        <translation>Objekte bleiben ohne die Daten ihrer Vorlage oder Linse</translation>
    </message>
    <message>
        <source>Links of numbers are left out</source>
        <translation>Verknüpfungen von Zahlen entfallen</translation>
    </message>
    <message>
        <source>Sliders are left out</source>
        <translation>Schieberegler entfallen</translation>
    </message>
    <message>
        <source>Studies are left out</source>
        <translation>Studien entfallen</translation>
    </message>
    <message>
        <source>Unknown entries of the document&apos;s file are left out</source>
        <translation>Unbekannte Einträge der Dokumentdatei entfallen</translation>
    </message>
    <message>
        <source>{words}: {names}.</source>
        <translation>{words}: {names}.</translation>
    </message>
    <message>
        <source>The background picture is left out.</source>
        <translation>Das Hintergrundbild entfällt.</translation>
    </message>
    <message>
        <source>The sheet of figures is left out.</source>
        <translation>Das Zeichnungsblatt entfällt.</translation>
    </message>
    <message>
        <source>The unit of length {unit} is left out.</source>
        <translation>Die Längeneinheit {unit} entfällt.</translation>
    </message>
    <message>
        <source>All draws of this scene are the same: it has only single rays, and nothing is random. Add a source with a ray density, such as a beam.</source>
        <translation>Alle Ziehungen dieser Szene sind gleich: Sie hat nur einzelne Strahlen, und nichts ist zufällig. Fügen Sie eine Quelle mit einer Strahldichte hinzu, etwa ein Bündel.</translation>
    </message>
    <message>
        <source>The colour mode Default does not show brightness. Set the scene&apos;s colour mode to Linear, or do not refine the picture.</source>
        <translation>Der Farbmodus Standard zeigt keine Helligkeit. Stellen Sie den Farbmodus der Szene auf Linear, oder verfeinern Sie das Bild nicht.</translation>
    </message>
    <message>
        <source>P = {number} {unit}</source>
        <translation>P = {number} {unit}</translation>
    </message>
    <message>
        <source>mean of {draws} draws, with its standard error</source>
        <translation>Mittel von {draws} Ziehungen, mit seinem Standardfehler</translation>
    </message>
    <message>
        <source>{angle:g}°</source>
        <translation>{angle:g}°</translation>
    </message>
    <message>
        <source>× {ratio:g}</source>
        <translation>× {ratio:g}</translation>
    </message>
    <message>
        <source>r = {radius:.4g} {unit}</source>
        <translation>r = {radius:.4g} {unit}</translation>
    </message>
    <message>
        <source>{length:.4g} {unit}</source>
        <translation>{length:.4g} {unit}</translation>
    </message>
    <message>
        <source>{x:.4g}, {y:.4g} {unit}</source>
        <translation>{x:.4g}; {y:.4g} {unit}</translation>
    </message>
    <message>
        <source>{length:.4g} {unit}, {angle:g}°</source>
        <translation>{length:.4g} {unit}; {angle:g}°</translation>
    </message>
    <message>
        <source>lower rim ray</source>
        <translation>untere Randstrahl</translation>
    </message>
    <message>
        <source>chief ray</source>
        <translation>Hauptstrahl</translation>
    </message>
    <message>
        <source>upper rim ray</source>
        <translation>obere Randstrahl</translation>
    </message>
    <message>
        <source>Surface {number} with the radius {radius:.6g} does not reach the height {half:.4g}. Make its semi-diameter smaller, or the radius longer.</source>
        <translation>Fläche {number} mit dem Radius {radius:.6g} reicht nicht bis zur Höhe {half:.4g}. Verkleinern Sie ihren Halbmesser, oder vergrößern Sie den Radius.</translation>
    </message>
    <message>
        <source>on the axis</source>
        <translation>auf der Achse</translation>
    </message>
    <message>
        <source>at the rim</source>
        <translation>am Rand</translation>
    </message>
    <message>
        <source>Surfaces {first} and {second} cross {where}, by {overlap:.4g} {unit}. Make the thickness larger, or a semi-diameter smaller.</source>
        <translation>Die Flächen {first} und {second} überschneiden sich {where}, um {overlap:.4g} {unit}. Vergrößern Sie die Dicke, oder verkleinern Sie einen Halbmesser.</translation>
    </message>
    <message>
        <source>The {ray} of the field {field:g}{unit} {what} {surface}.</source>
        <translation>Der {ray} des Feldes {field:g}{unit} {what} {surface}.</translation>
    </message>
    <message>
        <source>the image surface</source>
        <translation>Bildfläche</translation>
    </message>
    <message>
        <source>misses</source>
        <translation>verfehlt:</translation>
    </message>
    <message>
        <source>is totally reflected at</source>
        <translation>wird totalreflektiert:</translation>
    </message>
    <message>
        <source>vertical</source>
        <translation>senkrecht</translation>
    </message>
    <message>
        <source>horizontal</source>
        <translation>waagerecht</translation>
    </message>
    <message>
        <source>perpendicular to {name}</source>
        <translation>senkrecht zu {name}</translation>
    </message>
    <message>
        <source>parallel to {name}</source>
        <translation>parallel zu {name}</translation>
    </message>
    <message>
        <source>5 or &apos;5 {unit}&apos;</source>
        <translation>5 oder „5 {unit}“</translation>
    </message>
    <message>
        <source>must be a number such as {example}; the text is empty</source>
        <translation>muss eine Zahl sein, etwa {example}; der Text ist leer</translation>
    </message>
    <message>
        <source>must be a number such as {example}; the text has {count} characters, at most {most} are read</source>
        <translation>muss eine Zahl sein, etwa {example}; der Text hat {count} Zeichen, höchstens {most} werden gelesen</translation>
    </message>
    <message>
        <source>has &apos;{found}&apos; in {text!r}; write {found}3 for a power of ten, or a * before the number e</source>
        <translation>hat „{found}“ in {text!r}; für eine Zehnerpotenz {found}3 schreiben, oder ein * vor der Zahl e</translation>
    </message>
    <message>
        <source>has terms with and without a unit in {text!r}; give each term its unit</source>
        <translation>hat in {text!r} Summanden mit und ohne Einheit; jedem seine Einheit geben</translation>
    </message>
    <message>
        <source>has commas in {text!r}; write it without them</source>
        <translation>hat Kommas in {text!r}; ohne sie schreiben</translation>
    </message>
    <message>
        <source>has a point and a comma in {text!r}; write {written}</source>
        <translation>hat Punkt und Komma in {text!r}; {written} schreiben</translation>
    </message>
    <message>
        <source>has a comma in {text!r}; write {point} with a decimal point or {none} without a comma</source>
        <translation>hat ein Komma in {text!r}; {point} mit Dezimalpunkt oder {none} ohne Komma schreiben</translation>
    </message>
    <message>
        <source>has an angle without a unit in &apos;{name}({argument})&apos;; write {name}({argument} deg) or {name}({argument} rad)</source>
        <translation>hat einen Winkel ohne Einheit in „{name}({argument})“; {name}({argument} deg) oder {name}({argument} rad) schreiben</translation>
    </message>
    <message>
        <source>has an angle in radians, of &apos;{found}…)&apos;; write rad after it</source>
        <translation>hat einen Winkel im Bogenmaß, von „{found}…)“; rad dahinter schreiben</translation>
    </message>
    <message>
        <source>in {text!r} </source>
        <translation>in {text!r} </translation>
    </message>
    <message>
        <source>must be a number such as {example}; {where}{name!r} is not a number or function; units end a term</source>
        <translation>muss eine Zahl sein, etwa {example}; {where}ist {name!r} weder Zahl noch Funktion; Einheiten stehen am Ende eines Summanden</translation>
    </message>
    <message>
        <source>must be a number such as {example}; {text!r} is not: {error}</source>
        <translation>muss eine Zahl sein, etwa {example}; {text!r} ist keine: {error}</translation>
    </message>
    <message>
        <source>must be a finite number; {text!r} is not</source>
        <translation>muss eine endliche Zahl sein; {text!r} ist keine</translation>
    </message>
    <message>
        <source>is too large for a number</source>
        <translation>ist zu groß für eine Zahl</translation>
    </message>
    <message>
        <source>is in &apos;{written}&apos;; give one of {units}</source>
        <translation>hat die Einheit „{written}“; eine von {units} angeben</translation>
    </message>
    <message>
        <source>is in &apos;{written}&apos;; give a number without a unit</source>
        <translation>hat die Einheit „{written}“; eine Zahl ohne Einheit angeben</translation>
    </message>
    <message>
        <source>No lens of this thickness has this focal length. Make it thinner, or the focal length longer.</source>
        <translation>Keine Linse dieser Dicke hat diese Brennweite. Dünner machen, oder die Brennweite länger.</translation>
    </message>
    <message>
        <source>A surface has the radius {radius}, too small for a diameter of {diameter}. Make the diameter at most {most}, or the focal length longer.</source>
        <translation>Eine Fläche hat den Radius {radius}, zu klein für den Durchmesser {diameter}. Den Durchmesser höchstens {most} machen, oder die Brennweite länger.</translation>
    </message>
    <message>
        <source>Its surfaces cross at the rim: they bulge by {bulge} together. Make the thickness more than {bulge}, or the diameter smaller.</source>
        <translation>Die Flächen schneiden sich am Rand: zusammen wölben sie sich um {bulge}. Die Dicke größer als {bulge} machen, oder den Durchmesser kleiner.</translation>
    </message>
    <message>
        <source>{crown} and {flint} disperse alike (V = {v1:.1f} and {v2:.1f}). Take glasses that differ more.</source>
        <translation>{crown} und {flint} haben ähnliche Dispersion (V = {v1:.1f} und {v2:.1f}). Gläser nehmen, die sich mehr unterscheiden.</translation>
    </message>
    <message>
        <source>No cemented doublet of this diameter has this focal length. Make the diameter smaller, or the focal length longer.</source>
        <translation>Kein verkittetes Dublett dieses Durchmessers hat diese Brennweite. Den Durchmesser kleiner machen, oder die Brennweite länger.</translation>
    </message>
    <message>
        <source>The focal length is 0. Give another one.</source>
        <translation>Die Brennweite ist 0. Eine andere angeben.</translation>
    </message>
    <message>
        <source>{value:.4g}{unit}</source>
        <translation>{value:.4g}{unit}</translation>
    </message>
    <message>
        <source>{name} is opaque: light does not get through it. Choose a glass.</source>
        <translation>{name} ist undurchsichtig: Licht kommt nicht hindurch. Ein Glas wählen.</translation>
    </message>
    <message>
        <source>{name} has the index {index:.4g}; total reflection at 45° needs more than {least:.4g}. Choose another one.</source>
        <translation>{name} hat die Brechzahl {index:.4g}; Totalreflexion bei 45° braucht mehr als {least:.4g}. Ein anderes wählen.</translation>
    </message>
    <message>
        <source>In a material with the index {index:.4g} the base does not reflect totally. Choose one with a higher index.</source>
        <translation>In einem Material mit der Brechzahl {index:.4g} reflektiert die Grundfläche nicht total. Eines mit höherer Brechzahl wählen.</translation>
    </message>
    <message>
        <source>Its lenses overlap. Make the focal length longer, or the magnification larger.</source>
        <translation>Die Linsen überlappen. Die Brennweite länger machen, oder die Vergrößerung größer.</translation>
    </message>
    <message>
        <source>It is too wide to be bent so much. Make the width less than {width}, or the bend smaller.</source>
        <translation>Es ist zu breit, um so stark gebogen zu werden. Die Breite kleiner als {width} machen, oder die Biegung kleiner.</translation>
    </message>
    <message>
        <source>{name} is not linked.</source>
        <translation>{name} ist nicht gekoppelt.</translation>
    </message>
    <message>
        <source>A document has at most {most} links.</source>
        <translation>Ein Dokument hat höchstens {most} Kopplungen.</translation>
    </message>
    <message>
        <source>{link} names no other number. Set the number itself.</source>
        <translation>{link} nennt keine andere Zahl. Setzen Sie die Zahl selbst.</translation>
    </message>
    <message>
        <source>{name} is a motion, which no number holds: write {place}.</source>
        <translation>{name} ist eine Bewegung, die keine Zahl festhält: Schreiben Sie {place}.</translation>
    </message>
    <message>
        <source>{link} contradicts itself or another link. Remove one of them.</source>
        <translation>{link} widerspricht sich selbst oder einer anderen Kopplung. Entfernen Sie eine davon.</translation>
    </message>
    <message>
        <source>{link}: {fault}</source>
        <translation>{link}: {fault}</translation>
    </message>
    <message>
        <source>{name} is linked: = {expression}. Unlink it first: type = alone, or give {change}.</source>
        <translation>{name} ist gekoppelt: = {expression}. Lösen Sie es zuerst: Tippen Sie nur =, oder geben Sie {change} an.</translation>
    </message>
    <message>
        <source>{text} is not a link. Write a parameter and a formula, such as Lens 2.x = Lens 1.x + 40.</source>
        <translation>{text} ist keine Kopplung. Schreiben Sie einen Parameter und eine Formel, etwa Lens 2.x = Lens 1.x + 40.</translation>
    </message>
    <message>
        <source>{name} is linked twice: &apos;{other}&apos; and &apos;{link}&apos;. Keep one of the two.</source>
        <translation>{name} ist zweimal gekoppelt: „{other}“ und „{link}“. Behalten Sie eine der beiden.</translation>
    </message>
    <message>
        <source>{name} is varied and linked (&apos;{link}&apos;). Keep one of the two.</source>
        <translation>{name} ist variiert und gekoppelt („{link}“). Behalten Sie eines von beiden.</translation>
    </message>
    <message>
        <source>The links form a circle: {circle}. Remove one of them.</source>
        <translation>Die Kopplungen bilden einen Kreis: {circle}. Entfernen Sie eine davon.</translation>
    </message>
    <message>
        <source>{text} names no parameter. Write an object and a place, such as Lens.focalLength or Prism.angle.</source>
        <translation>{text} nennt keinen Parameter. Schreiben Sie ein Objekt und eine Stelle, etwa Lens.focalLength oder Prism.angle.</translation>
    </message>
</context>
</TS>
