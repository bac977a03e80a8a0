# Sourced by the scripts beside it: the repository root, messages, and limits of this machine.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
python="$root/.venv/bin/python"

say() { printf '== %s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

# Memory that may be used, in MiB: what is available, or less where a cgroup says so.
memory_mib() {
  local available limit
  available=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
  for file in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
    limit=$(cat "$file" 2>/dev/null || true)
    if [[ $limit =~ ^[0-9]+$ ]] && (( ${#limit} < 18 && limit / 1048576 < available )); then
      available=$(( limit / 1048576 ))
    fi
  done
  echo "$available"
}

# Parallel compile jobs: one per processor, as far as each has about 1.5 GiB.
build_jobs() {
  local by_memory=$(( $(memory_mib) / 1536 )) processors
  processors=$(nproc)
  local jobs=$(( by_memory < processors ? by_memory : processors ))
  echo $(( jobs < 1 ? 1 : jobs ))
}

# A virtual environment of a Python with packages, made anew when they change. Says nothing unless it has to work.
environment() {
  local folder=$1 base=$2 stamp="$1/packages.stamp"
  shift 2
  [[ -f $stamp && $(cat "$stamp") == "$*" ]] && return
  printf '== making %s\n' "$folder" >&2
  rm -rf "$folder"
  "$base" -m venv "$folder"
  "$folder/bin/python" -m pip install -q --disable-pip-version-check "$@" </dev/null
  printf '%s\n' "$*" > "$stamp"
}
