#!/bin/sh
# Assembles the root of the image in a folder: the program with its dependencies, the Node of its lock file, and the four
# libraries of Debian that Node needs. No shell, no package manager. The Dockerfile runs this; so do the tests.
# Needs npm (with any Node from 20 on), Debian's apt-get and dpkg, and strip.
#   deploy/container/assemble.sh TARGET
set -eu
clone=$(cd "$(dirname "$0")/../.." && pwd)
target=$1
mkdir -p "$target/app" "$target/data" "$target/tmp" "$target/dev" "$target/proc" "$target/etc" "$target/usr/bin"
chmod 1777 "$target/tmp"

# The program, as the clone has it.
cd "$clone"
cp -R bin src models package.json package-lock.json LICENSE "$target/app"
mkdir -p "$target/app/console" "$target/app/client" "$target/app/scripts"
cp -R console/dist "$target/app/console/dist"
cp -R client/dist "$target/app/client/dist"
cp scripts/run.mjs scripts/runtime.mjs scripts/packaged-node.mjs "$target/app/scripts"
cp deploy/container/health.mjs "$target/app"
commit=${COMMIT:-$(git rev-parse HEAD 2> /dev/null || true)}
if [ -n "$commit" ]; then echo "$commit" > "$target/app/COMMIT"; fi
find "$target/app/src" -name '*.test.ts' -delete

cd "$target/app"
npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
# What no process reads: headers and manuals of Node, its symbols, SQLite for other machines and its sources.
for binary in node_modules/node-*/bin/node; do
  node=${binary%/bin/node}
  rm -rf "$node/include" "$node/share" "$node/CHANGELOG.md" "$node/README.md"
  node "$clone/scripts/packaged-node.mjs" "$PWD/$binary"
  strip -s "$binary"
  ln -s "/app/$binary" "$target/usr/bin/node"
done
case $(uname -m) in x86_64) machine=linux-x64 ;; aarch64) machine=linux-arm64 ;; *) machine=$(uname -m) ;; esac
find node_modules/better-sqlite3/prebuilds -type f ! -name "$machine.node" -delete
rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src
# Types and maps of sources are for developers.
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

# The libraries.
packages=$(mktemp -d)
cd "$packages"
apt-get download -qq libc6 libstdc++6 libgcc-s1 libatomic1
for package in *.deb; do dpkg -x "$package" "$target"; done
rm -rf "$packages" "$target/usr/share/doc" "$target/usr/share/locale" "$target/usr/share/lintian" "$target/usr/share/gcc" "$target/usr/share/gdb"
find "$target/usr/lib" -type d -name gconv -prune -exec rm -rf {} +

echo 'knowledge:x:65532:65532::/data:/nonexistent' > "$target/etc/passwd"
echo 'knowledge:x:65532:' > "$target/etc/group"
echo 'hosts: files dns' > "$target/etc/nsswitch.conf"
chown 65532:65532 "$target/data"
chmod 700 "$target/data"

bytes=$(du -sb "$target" | cut -f1)
packed=$(tar -C "$target" -c . | gzip -6 | wc -c)
echo "image: $((bytes / 1000000)) MB, $((packed / 1000000)) MB as it is pulled; Node has $(($(stat -c %s "$target"/app/node_modules/node-*/bin/node) / 1000000)) MB of it"
