import { typeWords } from '../contract/schema-words.ts'
import { marked, notesOf } from './api-fields.ts'
import type { NamedValues } from './api-values.ts'
import { described, link } from './markdown.ts'
import type { OpenApiParameter } from './openapi.ts'
import type { DocumentedRoute } from './operations.ts'

/** Fewest operations that take a parameter with a place among the common ones. */
const OPERATIONS_MIN = 3

/**
 * Returns the parameters that many operations take with the same meaning. Of several with one name and place, it is the
 * one that most operations take.
 */
export function commonParametersOf(operations: readonly DocumentedRoute[]): OpenApiParameter[] {
  const all = operations.flatMap(({ operation }) => operation.parameters ?? []).filter((each) => !isBareId(each))
  const groups = [...Map.groupBy(all, meaningOf).values()]
    .filter((same) => same.length >= OPERATIONS_MIN)
    .sort((a, b) => b.length - a.length)
  const common = groups.map(([parameter]) => parameter)
  return common.filter((each, i) => common.findIndex((other) => placeOf(other) === placeOf(each)) === i)
}

/** Renders parameters, each with the place where it stands unless that is the query. */
export function parameterRows(parameters: readonly OpenApiParameter[], values: readonly NamedValues[]): string {
  const rows = parameters.map((each) => [
    `${parameterName(each)}${each.in === 'query' ? '' : ` (${each.in})`}`,
    typeWords(each.schema, link),
    notesOf(each.description, each.schema, values),
  ])
  return described('Parameter', rows)
}

/** Returns the name of a parameter in code, marked like a field. */
export const parameterName = ({ name, required }: OpenApiParameter) => marked({ name, isRequired: required })

/** Tells whether the common parameters have a parameter. */
export function isCommon(parameter: OpenApiParameter, common: readonly OpenApiParameter[]): boolean {
  return common.some((each) => meaningOf(each) === meaningOf(parameter))
}

/** Tells whether a parameter needs no description, because it is a UUID in the path, as most are. */
export function isBareId({ in: place, description, schema }: OpenApiParameter): boolean {
  return place === 'path' && description === undefined && schema.format === 'uuid' && Object.keys(schema).length === 2
}

const placeOf = ({ name, in: place }: OpenApiParameter) => `${place} ${name}`
const meaningOf = (parameter: OpenApiParameter) =>
  JSON.stringify([placeOf(parameter), parameter.required, parameter.description, parameter.schema])
