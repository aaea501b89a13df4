"""Say what the frozen program is made of: licences, bill of materials (CycloneDX) and the hash of every file.

`make dist` runs it after PyInstaller: `python packaging/contents.py dist/dpwizard build/build/COLLECT-00.toc`.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LICENCE_NAMES = re.compile(r"(licen[cs]e|copying|notice|authors|copyright)", re.IGNORECASE)
# Wheels that say their licence but carry no text of it: where the text stands.
SHARED_TEXTS = {"pyside6": ("LGPL-3.txt", "GPL-3.txt"), "shiboken6": ("LGPL-3.txt", "GPL-3.txt")}


# Modules that could speak to a network and may be inside, and why; any other of NETWORK ends the build.
NETWORK = re.compile(
    r"(socket|ssl|asyncio|http|urllib|ftplib|smtplib|poplib|imaplib|telnetlib|xmlrpc|socketserver|wsgiref|webbrowser"
    r"|aiohttp|requests|urllib3|httpx|websockets|grpc|paramiko|PySide6\.Qt(Network|WebEngine|WebSockets)\w*)(\..+)?"
)
NETWORK_ALLOWED = {
    "socket": "asyncio and asn1crypto name its constants",
    "ssl": "asyncio's event loop imports it",
    "asyncio": "filelock imports it",
    "http": "the package of the next two: names of answers",
    "http.client": "urllib.request imports it",
    "http.cookiejar": "urllib.request imports it",
    "urllib": "paths in file names are quoted with urllib.parse",
    "webbrowser": "pyqtgraph imports it",
}


@dataclass(frozen=True, kw_only=True)
class Part:
    """One thing inside the program: a Python package, a system library's package, or Python itself."""

    name: str
    version: str
    kind: str  # pypi, deb or generic, as package URLs call them
    licence: str
    texts: tuple[tuple[str, Path], ...]  # the name inside the folder of licences, and where the text is taken from


def collected(toc: Path) -> tuple[tuple[str, Path], ...]:
    """Return (name inside, file taken) for everything PyInstaller put into the folder."""
    entries = ast.literal_eval(toc.read_text("utf-8"))[0]
    return tuple((name, Path(source)) for name, source, _ in entries if source)


def network_modules(names: Iterable[str]) -> tuple[str, ...]:
    """Return those of NAMES that could speak to a network and have no reason to be inside."""
    speaking = (name for name in names if NETWORK.fullmatch(name))
    within = ("asyncio.", "urllib.")  # whole packages with a reason
    return tuple(sorted(name for name in speaking if name not in NETWORK_ALLOWED and not name.startswith(within)))


def python_packages(toc: Path) -> Iterator[Part]:
    """Return the Python packages inside: those that brought a module or a file."""
    archive = ast.literal_eval(toc.with_name("PYZ-00.toc").read_text("utf-8"))[1]
    taken = {Path(source).resolve() for _, source, *_ in archive if source} | {
        source.resolve() for _, source in collected(toc)
    }
    for found in sorted(importlib.metadata.distributions(), key=lambda one: one.metadata["Name"].lower()):
        files = tuple(found.files or ())
        inside = any(
            Path(str(found.locate_file(file))).resolve() in taken for file in files if ".dist-info/" not in str(file)
        )
        if not inside:
            continue
        name = found.metadata["Name"]
        texts = [
            (str(file).partition(".dist-info/")[2].removeprefix("licenses/"), Path(str(found.locate_file(file))))
            for file in files
            if ".dist-info/" in str(file) and LICENCE_NAMES.search(file.name)
        ]
        shared = [text for start, named in SHARED_TEXTS.items() if name.lower().startswith(start) for text in named]
        texts += [(text, ROOT / "resources" / "licences" / text) for text in shared]
        said = found.metadata.get("License-Expression") or found.metadata.get("License") or ""
        classified = [
            line.rpartition(" :: ")[2]
            for line in found.metadata.get_all("Classifier") or ()
            if line.startswith("License ::")
        ]
        licence = said if said and len(said) < 80 else ", ".join(classified) or "see its licence text"
        yield Part(
            name=name,
            version=found.version,
            kind="pypi",
            licence=licence,
            texts=tuple(sorted(text for text in texts if text[1].is_file())),
        )


def owner(said: str) -> str:
    """Return the package that owns a file, from what dpkg-query SAID of it: not whoever moved another one aside."""
    lines = [line for line in said.splitlines() if ":" in line and not line.startswith("diversion by ")]
    return lines[0].split(":")[0].split(",")[0] if lines else ""


def system_packages(toc: Path) -> Iterator[Part]:
    """Return the system's packages whose libraries are inside (Debian and Ubuntu; elsewhere nothing)."""
    if shutil.which("dpkg-query") is None:
        return
    libraries = sorted(
        {source for name, source in collected(toc) if ".so" in name and not source.is_relative_to(sys.prefix)}
    )
    owners: dict[str, str] = {}
    for library in libraries:
        for path in (library, library.resolve(), Path("/usr") / str(library).lstrip("/")):
            found = subprocess.run(["dpkg-query", "-S", str(path)], capture_output=True, text=True, check=False)
            package = owner(found.stdout)
            if package:
                owners[package] = subprocess.run(
                    ["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True, check=True
                ).stdout
                break
    for package, version in sorted(owners.items()):
        text = Path("/usr/share/doc") / package / "copyright"
        yield Part(
            name=package,
            version=version,
            kind="deb",
            licence="see its licence text",
            texts=(("copyright", text),) if text.is_file() else (),
        )


def python_itself() -> Part:
    """Return the Python that is inside."""
    places = (
        Path(sys.base_prefix) / "LICENSE",
        Path(sys.base_prefix) / "lib" / f"python{platform.python_version()[:4]}" / "LICENSE.txt",
    )
    packaged = Path(f"/usr/share/doc/python{platform.python_version()[:4]}/copyright")
    texts = tuple((place.name, place) for place in (*places, packaged) if place.is_file())[:1]
    return Part(name="python", version=platform.python_version(), kind="generic", licence="PSF-2.0", texts=texts)


def write_licences(parts: tuple[Part, ...], folder: Path) -> tuple[str, ...]:
    """Copy every licence text into FOLDER with an index; return the names of parts without a text."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    bare = []
    lines = [
        "What this program is made of, and under which terms. dpwizard's own licence is LICENSE beside this folder.",
        "",
    ]
    for part in parts:
        lines.append(f"{part.name} {part.version}: {part.licence}")
        if not part.texts:
            bare.append(part.name)
            lines.append("    (its publisher gives no text with it)")
        for inside, text in part.texts:
            target = folder / part.name / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(text, target)
            lines.append(f"    {target.relative_to(folder).as_posix()}")
    (folder / "INDEX.txt").write_text("\n".join(lines) + "\n", "utf-8")
    shutil.copyfile(ROOT / "LICENSE", folder.parent / "LICENSE")
    return tuple(bare)


def write_bill_of_materials(parts: tuple[Part, ...], version: str, target: Path) -> None:
    """Write the bill of materials as CycloneDX 1.6, the same bytes for the same parts."""
    from cyclonedx.model.bom import Bom
    from cyclonedx.model.component import Component, ComponentType
    from cyclonedx.model.license import DisjunctiveLicense
    from cyclonedx.output.json import JsonV1Dot6
    from packageurl import PackageURL

    bom = Bom()
    program = Component(name="dpwizard", version=version, type=ComponentType.APPLICATION, bom_ref="dpwizard")
    bom.metadata.component = program
    inside = [
        Component(
            name=part.name,
            version=part.version,
            type=ComponentType.LIBRARY,
            bom_ref=f"{part.kind}:{part.name}",
            purl=PackageURL(part.kind, "debian" if part.kind == "deb" else None, part.name, part.version),
            licenses=[DisjunctiveLicense(name=part.licence)],
        )
        for part in parts
    ]
    bom.components.update(inside)
    bom.register_dependency(program, inside)
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    # a random number and the hour would make two builds of the same tree differ
    text = re.sub(r'\n *"(serialNumber|timestamp)": "[^"]*",?', "", text)
    target.write_text(re.sub(r",(\s*[}\]])", r"\1", text), "utf-8")


def write_hashes(folder: Path) -> int:
    """Write SHA256SUMS over every file in FOLDER, for `sha256sum --check`; return how many there are."""
    lines = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.name != "SHA256SUMS":
            lines.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}")
    (folder / "SHA256SUMS").write_text("\n".join(lines) + "\n", "utf-8")
    return len(lines)


def main(arguments: list[str]) -> int:
    """Write licences, bill of materials and hashes into the folder of the frozen program."""
    folder, toc = Path(arguments[0]), Path(arguments[1])
    version = re.search(r'^version = "([^"]+)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert version is not None
    archive = ast.literal_eval(toc.with_name("PYZ-00.toc").read_text("utf-8"))[1]
    unwanted = network_modules([name for name, *_ in archive] + [name.replace("/", ".") for name, _ in collected(toc)])
    if unwanted:
        print("modules that speak to a network are inside: " + ", ".join(unwanted), file=sys.stderr)
        return 1
    parts = (python_itself(), *python_packages(toc), *system_packages(toc))
    bare = write_licences(parts, folder / "licences")
    write_bill_of_materials(parts, version.group(1), folder / "sbom.cdx.json")
    count = write_hashes(folder)
    print(f"{len(parts)} parts inside ({', '.join(bare) or 'none'} without a licence text); {count} files hashed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
