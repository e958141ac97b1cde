import assert from 'node:assert/strict'
import { Ajv } from 'ajv'
import type { Schema } from '../../src/platform/contract/check-faults.ts'
import type { OpenApiDocument, OpenApiOperation } from '../../src/platform/reference/openapi.ts'
import type { Answer } from './service.ts'

/** Judges answers by their declarations in an OpenAPI document. */
export class DeclaredAnswers {
  readonly #ajv = new Ajv({ strict: false, validateFormats: false })
  readonly #paths: readonly { readonly pattern: RegExp; readonly methods: Readonly<Record<string, OpenApiOperation>> }[]

  constructor({ components: { schemas }, paths }: OpenApiDocument) {
    this.#ajv.addSchema({ $id: 'document', components: { schemas } })
    // Paths without parameters go first, as they do in the router.
    this.#paths = Object.entries(paths)
      .toSorted(([one], [other]) => one.split('{').length - other.split('{').length)
      .map(([path, methods]) => ({ pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), methods }))
  }

  /** Returns the operation of a method and an address without its host; undefined where the document has none. */
  operationAt(method: string, address: string): OpenApiOperation | undefined {
    const [path] = address.split('?')
    return this.#paths.find(({ pattern }) => pattern.test(path))?.methods[method.toLowerCase()]
  }

  /**
   * Judges an answer by the declaration of its operation.
   * @param what the request, for the message
   * @throws AssertionError where the operation does not declare the status or when to try again, or where its JSON has
   * another shape
   */
  judge(operation: OpenApiOperation, { status, headers, body }: Answer, what: string): void {
    const declared = operation.responses[status]
    assert.ok(declared !== undefined, `${what} answers ${status}, which is not declared: ${JSON.stringify(body)}`)
    const isTimed = headers.has('retry-after')
    assert.ok(!isTimed || declared.headers?.['Retry-After'], `${what} answers ${status} with Retry-After, not declared`)
    assert.ok(isTimed || status !== 429, `${what} answers 429 and does not say when to try again`)
    const schema = declared.content?.['application/json']?.schema
    if (schema === undefined || !headers.get('content-type')?.startsWith('application/json')) return
    const validate = this.#ajv.getSchema(this.#schemaId(operation, status, schema))!
    assert.ok(validate(body), `${what} answers ${status} with another shape: ${this.#ajv.errorsText(validate.errors)}`)
  }

  /** Returns the id of a schema, which is compiled once. */
  #schemaId({ operationId }: OpenApiOperation, status: number, schema: Schema): string {
    const id = `${operationId}-${status}`
    if (this.#ajv.getSchema(id) === undefined) {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
      this.#ajv.addSchema({ ...(JSON.parse(text) as object), $id: id })
    }
    return id
  }
}
