/** Reads real texts: the documentation packages of Debian, fetched once by apt and unpacked, never installed. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/**
 * Packages of documentation, prose first and references of programming interfaces last. Not each release of Debian has
 * all of them.
 */
const PACKAGES = [
  'manpages',
  'manpages-dev',
  'manpages-de',
  'freebsd-manpages',
  'debian-handbook',
  'debian-reference-en',
  'developers-reference',
  'perl-doc',
  'vim-doc',
  'git-doc',
  'zsh-doc',
  'bind9-doc',
  'apache2-doc',
  'postgresql-doc-15',
  'postgresql-doc-17',
  'postgis-doc',
  'sqlite3-doc',
  'python3.11-doc',
  'python3.13-doc',
  'dict-gcide',
  'dict-foldoc',
  'dict-jargon',
  'bible-kjv-text',
  'cmake-doc',
  'octave-doc',
  'nodejs-doc',
  'libreoffice-help-en-us',
  'qtbase5-doc-html',
  'libboost1.74-doc',
  'libboost1.83-doc',
  'libgtk-3-doc',
  'erlang-doc',
  'rust-doc',
  'openjdk-17-doc',
  'openjdk-21-doc',
]
const CACHE = join(tmpdir(), 'knowledge-bench-texts')
const FILE_MAX_BYTES = 64 * 2 ** 20
const OUTPUT_MAX_BYTES = 2 ** 28

/** A document as plain text, with blank lines between its paragraphs. */
export interface Document {
  readonly title: string
  readonly language: string
  readonly text: string
}

/**
 * Yields descriptions of packages, then the documents of one package after the other; nothing where there is no apt.
 */
export function* debianDocuments(): Generator<Document> {
  if (!existsSync('/usr/bin/apt-get')) return
  yield* descriptions()
  for (const name of PACKAGES) {
    const archive = fetched(name)
    if (archive === null) continue
    const folder = join(CACHE, 'unpacked')
    try {
      execFileSync('dpkg-deb', ['-x', archive, folder])
      for (const file of globSync('**/*', { cwd: folder }).sort()) {
        const document = documentOf(join(folder, file))
        if (document !== null) yield document
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function* descriptions(): Generator<Document> {
  const available = execFileSync('apt-cache', ['dumpavail'], { maxBuffer: OUTPUT_MAX_BYTES, encoding: 'utf8' })
  for (const [, name, rest] of available.matchAll(/^Package: (.*)\n([^]*?)\n\n/gm)) {
    const [, text] = /^Description(?:-en)?: (.*(?:\n .*)*)/m.exec(rest) ?? []
    if (text !== undefined) yield { title: name, language: 'en', text: text.replaceAll(/^ \.?/gm, '') }
  }
}

/** Returns the package's archive; null if this release does not have it. */
function fetched(name: string): string | null {
  mkdirSync(CACHE, { recursive: true })
  const find = (): string | undefined => readdirSync(CACHE).find((file) => file.startsWith(`${name}_`))
  if (find() === undefined) {
    try {
      execFileSync('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', name], {
        cwd: CACHE,
        stdio: 'ignore',
      })
    } catch {
      return null
    }
  }
  const file = find()
  return file === undefined ? null : join(CACHE, file)
}

function documentOf(path: string): Document | null {
  // Links between packages lead nowhere.
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile() || stats.size > FILE_MAX_BYTES || !isText(basename(path))) return null
  const bytes = readFileSync(path)
  const raw = (/\.[gd]z$/.test(path) ? gunzipSync(bytes) : bytes).toString('utf8')
  const name = basename(path).replace(/(\.(html|txt|pod|dict|gz|dz|[1-9]\w*))+$/, '')
  const language = /[/.]de[/.]/.test(path) ? 'de' : 'en'
  if (path.includes('.html')) return { language, title: titleOf(raw) ?? name, text: fromHtml(raw) }
  if (path.includes('/man/')) return { language, title: name, text: fromManual(raw) }
  return { language, title: name, text: path.endsWith('.pod') ? fromPod(raw) : raw }
}

/** Tells whether a file is a text. Changelogs are lists of names, and licences are the same everywhere. */
function isText(name: string): boolean {
  return /\.(html|txt|pod|gz|dz)$/.test(name) && !/^(change|copyright|news|thanks|credits)/i.test(name)
}

function titleOf(html: string): string | null {
  const title = fromHtml(/<title>([^<]*)<\/title>/i.exec(html)?.[1] ?? '').trim()
  return title === '' ? null : title.replaceAll(/\s+/g, ' ').slice(0, 150)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', mdash: '—' }

function fromHtml(html: string): string {
  return html
    .replaceAll(/<(script|style|nav|pre|title)\b[^]*?<\/\1>|<!--[^]*?-->/gi, '\n\n')
    .replaceAll(/<\/?(p|div|h\d|li|ul|ol|dl|dt|dd|td|tr|table|section|article|body|blockquote|br)\b[^>]*>/gi, '\n\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all)
}

/**
 * Returns the text of a manual page. It reads only the roff of ordinary pages: requests at the start of a line, and
 * escapes.
 */
function fromManual(roff: string): string {
  return roff
    .replaceAll(/^[.']\\".*$/gm, '')
    .replaceAll(/^\.(SH|SS|TH|PP|P|LP|TP|IP|HP|Pp|Sh|Ss|It|Bl|El|nf|fi|sp)\b.*$/gm, '\n')
    .replaceAll(/^\.[A-Za-z]+ ?/gm, '')
    .replaceAll(/\\f(\[\w*\]|\(..|.)|\\[&|^/,c]|\\s[-+]?\d/g, '')
    .replaceAll(/\\(-|\(hy|\(en|\(em)/g, '-')
    .replaceAll(/\\\(..|\\\[[^\]]*\]|\\./g, ' ')
}

function fromPod(pod: string): string {
  return pod.replaceAll(/^=.*$/gm, '\n').replaceAll(/[A-Z]<+\s*([^<>]*?)\s*>+/g, '$1')
}
