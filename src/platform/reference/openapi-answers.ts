import type { RouteOptions } from 'fastify'
import type { Schema } from '../contract/check-faults.ts'
import { JSON_TYPE, NDJSON_TYPE } from '../contract/media-types.ts'
import { NO_CONTENT } from '../contract/schema.ts'
import { exampleOf } from './examples.ts'
import type { OpenApiContent, OpenApiResponse } from './openapi.ts'
import { STANDARD_ERRORS, statusesOf } from './openapi-errors.ts'
import { answerHeadersOf, refusalHeadersOf } from './openapi-headers.ts'
import { documented } from './openapi-schemas.ts'

/** Descriptions of successes, by status, for contracts without a description. */
export const SUCCESS: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: NO_CONTENT,
}

/** Reference to the contract of error bodies in the document. */
export const ERROR = '#/components/schemas/Error'

/** Returns every answer of a route: its own, then the refusals that its declaration implies. */
export function answersOfRoute(route: RouteOptions, schemas: Record<string, Schema>): Record<string, OpenApiResponse> {
  const answers: Record<string, OpenApiResponse> = {}
  for (const [status, answer] of Object.entries((route.schema?.response ?? {}) as Record<string, Schema>)) {
    const { description } = answer
    answers[status] = {
      description: typeof description === 'string' ? description : (SUCCESS[status] ?? 'Done'),
      ...answerHeadersOf(route, status, answer),
      ...(status === '204' ? {} : { content: { [JSON_TYPE]: contentOf(answer, status, schemas) } }),
    }
  }
  const lines = route.config?.ndjsonAnswer ?? []
  if (lines.length > 0) answers[200] = answerInLines(lines, schemas, route.config?.ndjson === true)
  const common = { $ref: ERROR }
  const prescribed = route.config?.refusal === undefined ? null : documented(route.config.refusal, schemas)
  for (const status of statusesOf(route)) {
    const description = STANDARD_ERRORS.descriptions[status] ?? 'Refused'
    const isPrescribed = prescribed !== null && status.startsWith('4')
    const schema = isPrescribed ? { anyOf: [prescribed, common] } : common
    answers[status] ??= { description, ...refusalHeadersOf(status), content: { [JSON_TYPE]: { schema } } }
  }
  return answers
}

function contentOf(answer: Schema, status: string, schemas: Record<string, Schema>): OpenApiContent {
  const schema = documented(answer, schemas)
  return status.startsWith('2') ? { schema, example: exampleOf(answer, 'answer') } : { schema }
}

/**
 * Returns the answer of a route that answers in lines.
 * @param toLines whether the request has lines too, which the answer's lines are about
 */
function answerInLines(lines: readonly object[], schemas: Record<string, Schema>, toLines: boolean): OpenApiResponse {
  const kinds = lines.map((line) => documented(line, schemas))
  const schema = { description: 'One JSON document a line', ...(kinds.length === 1 ? kinds[0] : { anyOf: kinds }) }
  const description = toLines
    ? 'Taken; what became of each line follows while the request is still being read'
    : 'Done; the lines follow as they are read'
  const example = lines.map((line) => JSON.stringify(exampleOf(line, 'answer'))).join('\n')
  return { description, content: { [NDJSON_TYPE]: { schema, example } } }
}
