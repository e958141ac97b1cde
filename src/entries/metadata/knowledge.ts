import { FreeForm } from '../../http/schema.ts'

export const KnowledgeMetadata = FreeForm({ description: 'Anything' })
