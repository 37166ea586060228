"""Pinning of measures: the value of a pinned measure is shown beside its object and in the list of
measurements, and follows the document.
"""

from raybench.scene.free_names import free_name
from raybench.scene.measurements import Measurement
from raybench_workbench.document import WorkDocument
from raybench_workbench.measuring.mode import measurements_change
from raybench_workbench.threads import error_reason, run_in_background
from raybench_workbench.translation import tr


def pin_measures(document: WorkDocument, measures: str) -> None:
    """Pin measures, such as ``power(Screen); rms(Screen)``, as one history step once a thread has
    evaluated them. Measures that are already pinned stay unchanged.
    """
    now, result = document.document, document.session.fresh_result

    def evaluate() -> dict[str, Measurement]:
        from raybench.analysis.measurements import pinned_measurements

        return pinned_measurements(measures, now, result)

    def pin(pinned: dict[str, Measurement]) -> None:
        existing = dict(document.document.measurements)
        there = {(m.text, m.pins) for m in existing.values()}
        new = {n: m for n, m in pinned.items() if (m.text, m.pins) not in there}
        for name, measurement in new.items():
            existing[free_name(name, existing.keys())] = measurement
        if new:
            document.change(measurements_change(document.document, existing))

    def fail(error: Exception) -> None:
        document.failed.emit(error_reason(error, tr("Pinning the measure")))

    run_in_background(document, evaluate, pin, fail)
