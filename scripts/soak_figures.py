"""Print what docs/soak.md records: how our figures compare with those of other programs. Needs `scripts/setup.sh
soak`."""

import math
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.end_to_end.test_other_accountants import SEED, compositions, enclosed, interval, scales
from tests.samples.other_programs import PYTHON

MECHANISMS = ("laplace", "geometric", "gaussian")


def version(name: str) -> str:
    code = f"from importlib.metadata import version; print(version({name!r}))"
    return subprocess.run([PYTHON, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    print(f"Google dp-accounting {version('dp-accounting')}, OpenDP {version('opendp')}; seed {SEED}.\n")
    print(
        "| composition | cases | enclosed by Google's two estimates | width of our bounds, largest | Google's upper "
        "estimate above ours |"
    )
    print("|---|---:|---:|---:|---|")
    for mechanism in MECHANISMS:
        rows = compositions(mechanism, 40)
        inside = sum(enclosed(case, google) for case, _, google in rows)
        width = max((upper - lower) / upper for _, (lower, upper), _ in rows if upper > 0)
        above = sorted((g["most"] - upper) / upper for _, (_, upper), g in rows if upper > 0)
        print(
            f"| {mechanism} | {len(rows)} | {inside} | {width:.1e} | median {above[len(above) // 2]:.1e}, largest "
            f"{above[-1]:.1e} |"
        )
    print("\n| Laplace, delta 1e-5 | ours, lower | ours, upper | Google, optimistic | Google, pessimistic |")
    print("|---|---:|---:|---:|---:|")
    for case, (lower, upper), google in compositions("laplace", 0):
        (level, times), *_ = case["levels"]
        print(
            f"| {times} releases at {level} | {lower:.12g} | {upper:.12g} | {google['least']:.9g} | "
            f"{google['most']:.9g} |"
        )
    print("\n| noise | cases | OpenDP's loss at our scale, largest difference | its width, largest difference |")
    print("|---|---:|---:|---:|")
    for mechanism in MECHANISMS:
        rows = scales(mechanism, 300)
        wanted = [
            (c["sensitivity"] / c["scale"]) ** 2 / 2 if mechanism == "gaussian" else c["epsilon"] for c, _ in rows
        ]
        loss = max(abs(found["loss"] / want - 1) for want, (_, found) in zip(wanted, rows, strict=True))
        if mechanism == "geometric":
            width = f"{sum(interval(c) != math.ceil(f['width'] - 1e-9) - 1 for c, f in rows)} whole numbers differ"
        else:
            width = f"{max(abs(interval(c) / f['width'] - 1) for c, f in rows):.1e}"
        print(f"| {mechanism} | {len(rows)} | {loss:.1e} | {width} |")


if __name__ == "__main__":
    main()
