# What the rules share: where things lie, what a disc consists of, how the program is called.

import json
import re
import shlex
import subprocess
from pathlib import Path

OUT = Path(config["out"])
DISCS = config["discs"]
PROGRAM = shlex.join(config["program"])
# A rule has it among its parameters, so that another version of relicast converts again.
VERSION = subprocess.run([*config["program"], "--version"], check=True, capture_output=True, text=True).stdout.strip()
# Jobs read this file again on their node; only the first reading is of the whole workflow.
IS_MAIN = workflow.is_main_process


wildcard_constraints:
    disc=r"[A-Za-z0-9_][A-Za-z0-9_.-]*",
    shard=r"\d+",
    shards=r"\d+",


def sources(disc):
    """The inputs of a disc: folders, images or files."""
    return DISCS[disc] if isinstance(DISCS[disc], list) else [DISCS[disc]]


def files_of(wildcards):
    """Every file of a disc, so that a changed one is converted again. An image's tracks lie beside it.

    What does not exist is no file here: its own jobs fail, and the other discs go on.
    """
    found = []
    for source in map(Path, sources(wildcards.disc)):
        if source.is_dir():
            found += sorted(path for path in source.rglob("*") if path.is_file())
        elif source.is_file():
            found += [source, *beside(source)]
    return found


def beside(image):
    """The files that a disc image consists of besides the one that was named."""
    if image.suffix.lower() == ".cue":
        lines = image.read_text(errors="replace").splitlines()
        names = [re.match(r'\s*FILE\s+(?:"(.+?)"|(\S+))', line, re.IGNORECASE) for line in lines]
        paths = [image.parent / (name[1] or name[2]) for name in names if name]
    else:
        paths = [path for path in image.parent.iterdir() if path.stem == image.stem and path != image]
    return sorted(path for path in set(paths) if path.is_file())


def shards(disc):
    """How many shards a disc is cut into: as many as the configuration says, or by its size."""
    if config["shards"] != "auto":
        return config["shards"]
    size = sum(path.stat().st_size for path in files_of(Wildcards(disc)))
    wanted = -(-size // (config["shard_megabytes"] * 1024 * 1024))
    return min(max(wanted, 1), config["most_shards"])


class Wildcards:
    """As those of a rule, for a disc by name."""

    def __init__(self, disc):
        self.disc = disc


def quoted_sources(wildcards):
    return shlex.join(sources(wildcards.disc))


def home_of(wildcards):
    """The folder of a disc's outputs."""
    return OUT / "discs" / wildcards.disc


def settings():
    """Arguments that say what is made; the same for the plan and all shards."""
    return f"--config {shlex.quote(config['settings'])}" if config["settings"] else ""


def store():
    return f"--store {shlex.quote(config['store'])}" if config["store"] else ""


def memory_of_plan(plan, shard=None):
    """Megabytes that a shard takes by the plan's own numbers; the most of all without a shard.

    A worker holds a few copies of the largest file that is open with those that it reads from; measured peaks
    of real installs lie below this.
    """
    found = json.loads(Path(plan).read_text())["shards"]
    opened = [part["open_bytes"] for part in found if shard in (None, part["shard"].split("/")[0])]
    return 192 + 8 * max(opened, default=0) // (1024 * 1024)


def memory_of_shard(wildcards, input, attempt):
    return memory_of_plan(input.plan, wildcards.shard) * attempt


def memory_of_disc(wildcards, input, attempt):
    return memory_of_plan(input.plan) * attempt
