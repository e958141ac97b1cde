import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { errorBody } from './errors.ts'

interface KnownPath {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

/**
 * Holds the paths and methods of the service, and tells an unknown path (404) from a method that the path does not have
 * (405).
 */
export class KnownPaths {
  private readonly paths = new Map<string, KnownPath>()

  add(url: string, method: string | string[]): void {
    let path = this.paths.get(url)
    if (path === undefined) this.paths.set(url, (path = { pattern: patternOf(url), methods: new Set() }))
    for (const each of [method].flat()) path.methods.add(each)
  }

  /** Methods of the routes that match a path, sorted; empty when no route matches. */
  methodsOf(path: string): string[] {
    const names = new Set<string>()
    for (const { pattern, methods } of this.paths.values()) {
      if (pattern.test(path)) for (const method of methods) names.add(method)
    }
    return [...names].sort()
  }

  /** Refuses unknown paths and methods before the body is read. An onRequest hook. */
  readonly refuse: onRequestHookHandler = (request, reply, done) => {
    if (request.is404) this.answer(request, reply)
    else done()
  }

  readonly answer = (request: FastifyRequest, reply: FastifyReply): void => {
    const path = (request.raw.url as string).split('?', 1)[0]
    const methods = this.methodsOf(path)
    reply.header('content-type', 'application/json; charset=utf-8')
    if (methods.length === 0 || methods.includes(request.method)) {
      reply.code(404).send(errorBody([{ loc: ['path'], msg: 'Path not found', type: 'not_found' }]))
      return
    }
    const detail = { loc: ['path'], msg: 'Method is not allowed here', type: 'method_not_allowed' }
    reply
      .code(405)
      .header('allow', methods.join(', '))
      .send(errorBody([detail]))
  }
}

function patternOf(url: string): RegExp {
  const parts = url.split(/(:\w+|\*)/).map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`)
}
