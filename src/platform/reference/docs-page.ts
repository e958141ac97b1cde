import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { type Asset, assetOf, hashOf } from '../pages/assets.ts'

/** The page of the API reference, and the files it loads. */
export interface DocsPage {
  readonly html: string
  /** Files by the last segment of their addresses. */
  readonly assets: ReadonlyMap<string, Asset>
}

/** Reads Swagger UI from its package, and our own style and script. */
export function readDocsPage(): DocsPage {
  const library = assetAt(import.meta.resolve('@fastify/swagger-ui/static/swagger-ui-bundle.js'))
  const style = assetAt(import.meta.resolve('@fastify/swagger-ui/static/swagger-ui.css'))
  const ownStyle = assetAt(new URL('page/docs.css', import.meta.url))
  const start = assetAt(new URL('page/docs.js', import.meta.url))
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Knowledge Service API</title>',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="data:,">',
    ...[style, ownStyle].map(({ address }) => `<link rel="stylesheet" href="${address}">`),
    `<script src="${library.address}" defer></script><script src="${start.address}" type="module"></script>`,
    '</head><body><nav aria-label="Reference"><a href="#operations">Operations</a> ',
    '<a href="/openapi.json">openapi.json</a></nav><div id="reference"><noscript>This page needs JavaScript.</noscript></div></body></html>',
  ].join('')
  return { html, assets: new Map([library, style, ownStyle, start].map(({ name, asset }) => [name, asset])) }
}

/** Returns a file whose name has the hash of its content, so that browsers may cache it. */
function assetAt(file: string | URL) {
  const { pathname } = new URL(file)
  const content = readFileSync(new URL(file))
  const extension = extname(pathname)
  const name = `${basename(pathname, extension)}-${hashOf(content)}${extension}`
  return { name, address: `/docs/assets/${name}`, asset: assetOf(name, content) }
}
