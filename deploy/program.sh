#!/bin/sh
# Puts the program into a folder as the clone has it, with its dependencies and its Node for this machine, and without
# what no process reads. The image and the archive are made with it.
# Needs npm (with any Node from 20 on).
#   deploy/program.sh TARGET
set -eu
clone=$(cd "$(dirname "$0")/.." && pwd)
target=$1
mkdir -p "$target/console" "$target/client" "$target/scripts"
cd "$clone"
cp -R bin src models package.json package-lock.json LICENSE "$target"
cp -R console/dist "$target/console/dist"
cp -R client/dist "$target/client/dist"
cp scripts/run.mjs scripts/runtime.mjs scripts/packaged-node.mjs "$target/scripts"
commit=${COMMIT:-$(git rev-parse HEAD 2> /dev/null || true)}
if [ -n "$commit" ]; then echo "$commit" > "$target/COMMIT"; fi
find "$target/src" -name '*.test.ts' -delete

cd "$target"
npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
# Headers and manuals of Node, its symbols, SQLite for other machines and its sources.
for binary in node_modules/node-*/bin/node; do
  node=${binary%/bin/node}
  rm -rf "$node/include" "$node/share" "$node/CHANGELOG.md" "$node/README.md"
  node "$clone/scripts/packaged-node.mjs" "$PWD/$binary"
  if command -v strip > /dev/null; then strip -s "$binary"; fi
done
case $(uname -m) in x86_64 | amd64) cpu=x64 ;; aarch64 | arm64) cpu=arm64 ;; *) cpu=$(uname -m) ;; esac
system=$(uname -s | tr '[:upper:]' '[:lower:]')
find node_modules/better-sqlite3/prebuilds -type f ! -name "$system-$cpu.node" -delete
rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src
# The runtime of models: libraries for other machines, sources, and the installer with the packages that it alone needs.
# Its package lacks the licence texts of what is in its library.
runtime=node_modules/onnxruntime-node
find "$runtime/bin" -type f ! -path "*/$system/$cpu/*" -delete
find "$runtime/bin" -type d -empty -delete
rm -rf "$runtime/lib" "$runtime/script" node_modules/onnxruntime-common/lib
for package in adm-zip define-data-property define-properties es-define-property es-errors escape-string-regexp \
  global-agent globalthis gopd has-property-descriptors matcher object-keys serialize-error type-fest; do
  rm -rf "node_modules/$package"
done
cp "$clone"/deploy/licences/onnxruntime-*/* "$runtime"
# Types and maps of sources are for developers.
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
