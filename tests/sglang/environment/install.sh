#!/usr/bin/env bash
# install.sh FOLDER [PYTHON]: build the virtual environment FOLDER in which the real SGLang runs without a GPU.
# Ends with 0 and a stamp in FOLDER, or with 3 and the reason in FOLDER/why-not.txt.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
python=${2:-python3}
log=$folder/install.log

refuse() {
  mkdir -p "$folder"
  printf '%s\n' "$1" > "$folder/why-not.txt"
  printf 'install.sh: SGLang cannot be installed here: %s\n' "$1" >&2
  exit 3
}

step() { # a bounded step: what it does, then the command
  local what=$1; shift
  printf 'install.sh: %s\n' "$what"
  timeout 1200 "$@" >> "$log" 2>&1 || refuse "$what failed: $(grep -iE 'error' "$log" | tail -n 1 | cut -c1-300) (see $log)"
}

rm -f "$folder/why-not.txt" "$folder/.installed"
"$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || refuse "it needs Python 3.11"
"$python" -c 'import platform, sys; sys.exit((platform.system(), platform.machine()) != ("Linux", "x86_64"))' \
  || refuse "it needs Linux on x86_64"
"$python" -m venv --clear "$folder" || refuse "python -m venv failed"
: > "$log"
pip=("$folder/bin/pip" install --disable-pip-version-check -q)
# torch first and alone: resolved together with the rest, a CUDA build of several GB would be chosen
step "installing torch" "${pip[@]}" torch==2.13.0
step "installing what SGLang imports" "${pip[@]}" --pre -r "$here/requirements.txt"
step "installing SGLang" "${pip[@]}" --no-deps sglang==0.5.23 torchvision==0.28.0 timm==1.0.25 modelscope
step "installing the router" "${pip[@]}" --no-deps sglang-router==0.3.2
step "installing the rest" "${pip[@]}" soundfile==0.13.1 cffi
packages=$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
cp -r "$here/packages/." "$packages/" || refuse "the stand-ins cannot be copied"
echo 'import torchvision_cpu_shim' > "$packages/torchvision_cpu_shim.pth"
# Three processes import the same thousand files; where pip writes no byte code, that doubles the start.
"$folder/bin/python" -m compileall -q "$packages" >> "$log" 2>&1
touch "$folder/.installed"
