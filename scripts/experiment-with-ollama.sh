#!/usr/bin/env bash
# Runs a pilot, or the whole experiment, with the server and model of setup-ollama.sh: scripts/experiment-with-ollama.sh SETUP_DIR pilot|run [RESULTS [OPTION…]]
# Needs what setup-ollama.sh needs; without Go it says SKIPPED, and ends with 0.
set -euo pipefail

root=${1:?usage: scripts/experiment-with-ollama.sh SETUP_DIR pilot|run [RESULTS [OPTION...]]}
kind=${2:?pilot or run}
results=${3:-results}
here=$(cd "$(dirname "$0")/.." && pwd)
address=127.0.0.1:21434

if ! command -v go > /dev/null && [ ! -x "$root/bin/ollama" ]; then
  echo "SKIPPED: no Go, so no Ollama server can be built" >&2
  exit 0
fi
"$here/scripts/setup-ollama.sh" "$root"

HOME=$root/home OLLAMA_HOST=$address OLLAMA_MODELS=$root/models OLLAMA_NO_CLOUD=1 "$root/bin/ollama" serve > "$root/serve.log" 2>&1 &
server=$!
trap 'kill "$server"' EXIT
for _ in $(seq 100); do
  if curl -s -o "$root/dl/version" "http://$address/api/version"; then break; fi
  sleep 0.1
done
cd "$here"
[ -e dist/src/cli/main.js ] || npm run --silent build
node dist/src/cli/main.js experiment "$kind" "$results" --chooser ollama --model smollm2-135m --host "http://$address" \
  --binary "$root/bin/ollama" "${@:4}"
