#!/bin/sh
# Makes an archive of the program for servers without git, npm and Node: for machines of this kind, with everything that
# it needs, its documentation and the files of deploy/. Prints its path; beside it lies its checksum.
# Needs npm (with any Node from 20 on), tar and gzip.
#   npm run package [-- FOLDER]
set -eu
clone=$(cd "$(dirname "$0")/../.." && pwd)
into=$(mkdir -p "${1:-.}" && cd "${1:-.}" && pwd)
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$clone/package.json")
case $(uname -m) in x86_64 | amd64) cpu=x64 ;; aarch64 | arm64) cpu=arm64 ;; *) cpu=$(uname -m) ;; esac
name=knowledge-service-$version
archive=$name-$(uname -s | tr '[:upper:]' '[:lower:]')-$cpu.tar.gz

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$clone/deploy/program.sh" "$work/$name" >&2
cd "$clone"
cp -R README.md CHANGELOG.md SECURITY.md docs deploy examples "$work/$name"
rm -rf "$work/$name"/docs/images
cp deploy/archive/knowledge "$work/$name/bin/knowledge"
chmod 755 "$work/$name/bin/knowledge"

# Files of root, without the names and times of whoever made the archive.
find "$work/$name" -exec touch -h -d '2000-01-01T00:00:00Z' {} +
tar -C "$work" --owner=0 --group=0 --numeric-owner -cf - "$name" | gzip -9 -n > "$into/$archive"
cd "$into"
if command -v sha256sum > /dev/null; then sha256sum "$archive"; else shasum -a 256 "$archive"; fi > "$archive.sha256"
echo "$into/$archive"
