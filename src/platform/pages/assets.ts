import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
}

/** A file of a page, held in memory. */
export interface Asset {
  readonly type: string
  readonly content: Buffer
  readonly etag: string
  /** Compressed on first use; null when that saves nothing. */
  gzipped(): Promise<Buffer | null>
}

/**
 * Makes an asset of a file.
 * @param name its extension decides the content type
 */
export function assetOf(name: string, content: Buffer): Asset {
  let packed: Promise<Buffer | null> | undefined
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  return { type, content, etag: `"${hashOf(content)}"`, gzipped: () => (packed ??= packedOf(content)) }
}

/** Returns the first 16 characters of the content's SHA-256 in base64url, for addresses and entity tags. */
export function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 16)
}

async function packedOf(content: Buffer): Promise<Buffer | null> {
  const packed = await promisify(gzip)(content, { level: 9 })
  return packed.length < content.length ? packed : null
}

/**
 * Answers with an asset, compressed if the browser accepts that.
 * @param caching `immutable` for an address that contains the hash: browsers keep the asset for a year; with `no-cache`
 *   they ask every time
 */
export async function sendAsset(
  asset: Asset,
  request: FastifyRequest,
  reply: FastifyReply,
  caching: 'immutable' | 'no-cache' = 'immutable',
): Promise<FastifyReply> {
  const { 'accept-encoding': codings, 'if-none-match': tags } = request.headers
  reply.headers({
    'cache-control': caching === 'immutable' ? 'public, max-age=31536000, immutable' : caching,
    etag: asset.etag,
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  })
  if (hasTag(tags, asset.etag)) return reply.code(304).send()
  const packed = acceptsGzip(codings) ? await asset.gzipped() : null
  if (packed !== null) reply.header('content-encoding', 'gzip')
  return reply.header('content-type', asset.type).send(packed ?? asset.content)
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  return String(header ?? '')
    .split(',')
    .some((coding) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(coding))
}

/**
 * Tells whether a header If-None-Match names an entity tag. Compares weakly (RFC 9110, section 13.1.2), because a proxy
 * that compresses an answer weakens its tag.
 */
function hasTag(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}
