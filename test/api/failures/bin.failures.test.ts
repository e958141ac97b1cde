import { failures, create, noSuch } from './table.ts'

failures('Bin', {
  seed: async (service) => {
    const category_id = await service.category()
    const entry_id = await create(service, 'knowledge-entries', { title: 'Gone', content: 'Gone', category_id })
    await service.call('DELETE', `/api/knowledge/knowledge-entries/${entry_id}`)
    await service.call('DELETE', `/api/knowledge/categories/${category_id}`)
    return { entry_id }
  },
  table: {
    'restoreEntry POST /api/knowledge/bin/{entry_id}/restore': {
      fails: {
        ...noSuch('entry_id'),
        '409 conflict at path.entry_id': { 'an entry whose category was deleted meanwhile': {} },
      },
    },
    'purgeEntry DELETE /api/knowledge/bin/{entry_id}': { fails: noSuch('entry_id') },
  },
})
