export const SCOPES = [
  'knowledge:read',
  'knowledge:write',
  'knowledge:prompts',
  'knowledge:delete',
  'knowledge:personal',
  'categories:write',
  'products:read',
  'products:write',
  'sites:read',
  'sites:write',
  'search:log',
  'analytics:read',
  'clients:register',
  'tenant:admin',
  'visibility:public',
  'visibility:community',
  'visibility:internal',
  'visibility:workspace',
  'visibility:restricted',
] as const

export type Scope = (typeof SCOPES)[number]

const NAMES: ReadonlySet<string> = new Set(SCOPES)

export function isScope(value: string): value is Scope {
  return NAMES.has(value)
}

export const ROLES = ['reader', 'editor', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** The scopes of each role. A role's ceiling is its one `visibility:` scope. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  reader: ['knowledge:read', 'knowledge:personal', 'products:read', 'sites:read', 'search:log', 'visibility:internal'],
  editor: [
    'knowledge:read',
    'knowledge:write',
    'knowledge:delete',
    'knowledge:personal',
    'categories:write',
    'products:read',
    'products:write',
    'sites:read',
    'search:log',
    'analytics:read',
    'visibility:workspace',
  ],
  admin: SCOPES,
}

/** The ceilings, lowest first. Each implies those below it. */
export const CEILINGS: readonly Scope[] = [
  'visibility:public',
  'visibility:community',
  'visibility:internal',
  'visibility:workspace',
  'visibility:restricted',
]

/** Returns the scopes together with every lower ceiling that they imply. */
export function withLowerCeilings(scopes: Iterable<Scope>): Set<Scope> {
  const all = new Set(scopes)
  const highest = CEILINGS.findLastIndex((ceiling) => all.has(ceiling))
  for (const ceiling of CEILINGS.slice(0, highest + 1)) all.add(ceiling)
  return all
}

/** Returns the scopes that both sets allow, with the lower one of the two ceilings. */
export function intersectScopes(one: Iterable<Scope>, other: Iterable<Scope>): ReadonlySet<Scope> {
  const allowed = withLowerCeilings(other)
  return new Set([...withLowerCeilings(one)].filter((scope) => allowed.has(scope)))
}

/** Tells whether whoever has some scopes may do all that other scopes allow. */
export function allows(may: ReadonlySet<Scope>, scopes: Iterable<Scope>): boolean {
  return [...scopes].every((scope) => intersectScopes([scope], may).has(scope))
}

/** Each scope with the ceilings it implies, as bits in the order of `SCOPES`. */
const BITS: ReadonlyMap<string, number> = new Map(
  SCOPES.map((scope) => [scope, bitsOf(withLowerCeilings([scope]))] as const),
)
const LENGTHS = SCOPES.map((scope) => scope.length)
const LENGTH_MIN = Math.min(...LENGTHS)
const LENGTH_MAX = Math.max(...LENGTHS)
const SPACE = 0x20
const COMMA = 0x2c

function bitsOf(scopes: ReadonlySet<Scope>): number {
  return SCOPES.reduce((bits, scope, i) => (scopes.has(scope) ? bits | (1 << i) : bits), 0)
}

/**
 * Returns the scopes of a request: those of the credential, narrowed to those that the gateway names. An empty header
 * narrows nothing. Unknown names allow nothing. Several headers arrive joined by commas (RFC 9110 section 5.3), and
 * each narrows: a client in front of a gateway cannot add to what the gateway allows.
 * @param granted scopes of the credential
 * @param header the X-Scopes header, empty when absent
 */
export function narrowScopes(granted: ReadonlySet<Scope>, header: string): ReadonlySet<Scope> {
  const headerBits = header === '' ? null : bitsOfHeader(header)
  if (headerBits === null) return granted
  let credentialBits = 0
  for (const scope of granted) credentialBits |= BITS.get(scope) as number
  const allowed = credentialBits & headerBits
  return new Set(SCOPES.filter((_scope, i) => (allowed & (1 << i)) !== 0))
}

/**
 * Returns the bits of the scopes that every part of the header names; null when all parts are empty. Empty parts are
 * skipped. Reads the header in one pass without a list of words, because a header may have 16 KB of them.
 */
function bitsOfHeader(header: string): number | null {
  let all: number | null = null
  let part: number | null = null
  let start = -1
  for (let i = 0; i <= header.length; i++) {
    const code = i < header.length ? header.charCodeAt(i) : COMMA
    if (code !== SPACE && code !== COMMA) {
      if (start < 0) start = i
      continue
    }
    if (start >= 0) part = (part ?? 0) | bitsOfWord(header, start, i)
    start = -1
    if (code === COMMA && part !== null) {
      all = (all ?? -1) & part
      part = null
    }
  }
  return all
}

function bitsOfWord(header: string, start: number, end: number): number {
  const length = end - start
  return length < LENGTH_MIN || length > LENGTH_MAX ? 0 : (BITS.get(header.slice(start, end)) ?? 0)
}

/** Parses scopes as they are stored and sent: names separated by spaces. Unknown names are dropped. */
export function parseScopes(text: string): Scope[] {
  return text.split(' ').filter(isScope)
}
