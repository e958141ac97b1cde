import { FreeForm } from '../../../platform/contract/schema.ts'

export const KnowledgeMetadata = FreeForm({ description: 'Anything' })
