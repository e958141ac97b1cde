import { collectionContracts } from '../collections/contract.ts'
import { Contract, ListOf, Uuid } from '../../platform/contract/schema.ts'

export const { Collection: Project, Create: ProjectCreate, Update: ProjectUpdate } = collectionContracts('Project')

export const ProjectEntries = Contract('ProjectEntries', { entry_ids: ListOf(Uuid(), { minItems: 1, maxItems: 500 }) })
