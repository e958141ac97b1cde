export const words = {
  title: 'Bin',
  intro: 'Deleted entries. They can be restored until they are deleted for good.',
  table: 'Deleted entries',
  name: 'Title',
  deleted: 'Deleted',
  purge: 'Gone for good',
  visibility: 'Who could read it',
  empty: 'The bin is empty',
  emptyHelp: 'What somebody deletes rests here for some time.',
  forbidden: 'You may not delete entries',
  forbiddenHelp: 'So there is nothing here for you. An administrator can make you an editor.',
  selected: (count: string) => `${count} selected`,
  restore: 'Restore',
  purgeNow: 'Delete for good',
  purgeTitle: (count: number) => (count === 1 ? 'Delete 1 entry for good?' : `Delete ${count} entries for good?`),
  purgeText: 'They go with all their versions. Nothing brings them back.',
  restored: (count: number) => (count === 1 ? '1 entry is back.' : `${count} entries are back.`),
  purged: (count: number) => (count === 1 ? '1 entry is gone for good.' : `${count} entries are gone for good.`),
  failed: (count: number) => (count === 1 ? '1 entry stays in the bin:' : `${count} entries stay in the bin:`),
  homeless: 'Its category or workspace was deleted.',
}

export type BinWords = typeof words
