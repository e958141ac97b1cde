import assert from 'node:assert/strict'
import { Ajv } from 'ajv'
import type { Schema } from '../../src/platform/contract/check-faults.ts'
import type { OpenApiDocument, OpenApiOperation } from '../../src/platform/reference/openapi.ts'
import type { Answer } from './service.ts'

/** Judges answers by what an OpenAPI document declares of them. */
export class DeclaredAnswers {
  readonly #ajv = new Ajv({ strict: false, validateFormats: false })

  constructor({ components: { schemas } }: OpenApiDocument) {
    this.#ajv.addSchema({ $id: 'document', components: { schemas } })
  }

  /**
   * @param what the request, for the message
   * @throws AssertionError where the operation does not declare the status, or its JSON has another shape
   */
  judge(operation: OpenApiOperation, { status, headers, body }: Answer, what: string): void {
    const declared = operation.responses[status]
    assert.ok(declared !== undefined, `${what} answers ${status}, which is not declared: ${JSON.stringify(body)}`)
    const schema = declared.content?.['application/json']?.schema
    if (schema === undefined || !headers.get('content-type')?.startsWith('application/json')) return
    const validate = this.#ajv.getSchema(this.#schemaId(operation, status, schema))!
    assert.ok(validate(body), `${what} answers ${status} with another shape: ${this.#ajv.errorsText(validate.errors)}`)
  }

  /** Schemas are compiled once. */
  #schemaId({ operationId }: OpenApiOperation, status: number, schema: Schema): string {
    const id = `${operationId}-${status}`
    if (this.#ajv.getSchema(id) === undefined) {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
      this.#ajv.addSchema({ ...(JSON.parse(text) as object), $id: id })
    }
    return id
  }
}
