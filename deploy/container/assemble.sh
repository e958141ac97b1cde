#!/bin/sh
# Assembles the root of the image in a folder: the program with its dependencies, the Node of its lock file, pg_dump and
# pg_restore for backups, and the libraries of Debian that these need. No shell, no package manager. The Dockerfile runs
# this; so do the tests. Needs npm (with any Node from 20 on), Debian's apt-get and dpkg, and strip.
#   deploy/container/assemble.sh TARGET
set -eu
clone=$(cd "$(dirname "$0")/../.." && pwd)
target=$1
mkdir -p "$target/data" "$target/tmp" "$target/dev" "$target/proc" "$target/etc" "$target/usr/bin"
chmod 1777 "$target/tmp"

"$clone/deploy/program.sh" "$target/app"
cp "$clone/deploy/container/health.mjs" "$target/app"
for binary in "$target"/app/node_modules/node-*/bin/node; do ln -s "${binary#"$target"}" "$target/usr/bin/node"; done

# The libraries of Node.
packages=$(mktemp -d)
cd "$packages"
apt-get download -qq libc6 libstdc++6 libgcc-s1 libatomic1
for package in *.deb; do dpkg -x "$package" "$target"; done
rm -rf "$packages" "$target/usr/share/doc" "$target/usr/share/locale" "$target/usr/share/lintian" "$target/usr/share/gcc" "$target/usr/share/gdb"
find "$target/usr/lib" -type d -name gconv -prune -exec rm -rf {} +

# pg_dump and pg_restore of the newest PostgreSQL that apt offers, since they dump servers up to their own version, and
# the libraries that they name. Their packages depend on much more.
client=$(apt-cache search --names-only '^postgresql-client-[0-9]+$' | sed 's/ .*//' | sort -V | tail -n 1)
version=${client##*-}
needed=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances libpq5 liblz4-1 libzstd1 zlib1g | grep -E '^(lib|zlib1g)[^:]*$' | grep -vE '^lib(c6|stdc\+\+6|gcc-s1)$' | sort -u)
packages=$(mktemp -d)
cd "$packages"
# shellcheck disable=SC2086 -- one word for each package
apt-get download -qq "$client" $needed
mkdir root
for package in *.deb; do dpkg -x "$package" root; done
libraries=$(dirname "$(find "$packages/root" -name 'libpq.so.5')")
programs=usr/lib/postgresql/$version/bin
mkdir -p "$target/$programs" "$target/usr/lib/${libraries##*/}"
for program in pg_dump pg_restore; do
  cp "root/$programs/$program" "$target/$programs"
  strip -s "$target/$programs/$program"
  LD_LIBRARY_PATH=$libraries:$packages/root/lib/${libraries##*/} ldd "root/$programs/$program" | sed -n 's/.* => \([^ ]*\) .*/\1/p' > named
  while read -r library; do
    case $library in "$packages"/*) cp -L "$library" "$target/usr/lib/${libraries##*/}" ;; esac
  done < named
done
cd /
rm -rf "$packages"

echo 'knowledge:x:65532:65532::/data:/nonexistent' > "$target/etc/passwd"
echo 'knowledge:x:65532:' > "$target/etc/group"
echo 'hosts: files dns' > "$target/etc/nsswitch.conf"
chown 65532:65532 "$target/data"
chmod 700 "$target/data"

bytes=$(du -sb "$target" | cut -f1)
packed=$(tar -C "$target" -c . | gzip -6 | wc -c)
echo "image: $((bytes / 1000000)) MB, $((packed / 1000000)) MB as it is pulled; Node has $(($(stat -c %s "$target"/app/node_modules/node-*/bin/node) / 1000000)) MB of it"
