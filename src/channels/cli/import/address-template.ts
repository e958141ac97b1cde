import { addressOf } from '../../import/page-address.ts'
import { UsageError } from '../failure.ts'

/**
 * Checks a template of addresses.
 * @throws UsageError unless it is an http or https address with `{path}` or `{file}`
 */
export function readTemplate(template: string): string {
  const isAddress = /^https?:\/\//i.test(template) && URL.canParse(addressOf(template, ['a.md']))
  if (!isAddress || !/\{(?:path|file)\}/.test(template))
    throw new UsageError('--url takes an address with {path} or {file}, such as https://example.com/docs/{path}')
  return template
}
