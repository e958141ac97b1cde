import { Clearable, Contract, type Static, Type } from '../../platform/contract/schema.ts'
import { READ_ONLY_FIELDS, WRITTEN_FIELDS } from './contract.ts'

const { title, language, external_id: externalId, ...others } = WRITTEN_FIELDS
const clearable = Clearable(others)

/** Fields that a product always has, so that null is a fault. */
const required = { title: Type.Optional(title), language: Type.Optional(language) }

const description =
  'A JSON merge patch (RFC 7396): only what it has changes, null clears a field, and within attributes and properties ' +
  'removes a member. Without `sync_hash` it clears that of the product, so that the next feed corrects the product'

const options = { 'x-read-only': READ_ONLY_FIELDS, description }

export const ProductPatch = Contract(
  'ProductPatch',
  {
    ...required,
    external_id: Type.Optional({ ...externalId, description: 'If it is there, it must be that of the product' }),
    ...clearable,
  },
  options,
)
export type ProductPatch = Static<typeof ProductPatch>

export const ProductPatchLine = Contract(
  'ProductPatchLine',
  { external_id: Type.String({ maxLength: 200, description: 'Names the product' }), ...required, ...clearable },
  options,
)
export type ProductPatchLine = Static<typeof ProductPatchLine>
