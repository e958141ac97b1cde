export const words = {
  title: 'System',
  intro: 'How the service is doing for your organisation.',
  forbidden: 'Only administrators can see how the service is doing.',
  forbiddenHelp: 'Ask an administrator of your organisation.',
  well: 'All is well',
  wellHelp: 'Search finds everything, by meaning and by words.',
  look: 'Worth a look',
  checked: 'Checked',
  again: 'Check now',
  renewFailed: 'The latest state could not be fetched. What you see is older.',
  concerns: {
    searchDown: 'Search is starting again. It is back in a few seconds; until then searches fail. Nothing is lost.',
    noRoom: 'The search index has no room left. Delete what nobody needs, or ask the operator for more memory.',
    unreadable: (count: string) =>
      `${count} entries or products are damaged: they are not found, or by words alone. Tell the operator of the service.`,
    newModel: (done: string, all: string) =>
      `A new model is being prepared: ${done} of ${all} are ready. Until then search uses the old one.`,
    failing: (count: string) =>
      `For ${count} entries or products the model’s provider does not answer. The service keeps trying; until then they are found by their words.`,
    waiting: (count: string) =>
      `${count} entries or products are being prepared for search by meaning. Until then they are found by their words.`,
  },
  meaning: {
    title: 'Search by meaning',
    help: 'Each entry and product is prepared once, so that search understands what it is about.',
    progress: 'Prepared',
    of: (done: string, all: string) => `${done} of ${all}`,
    none: 'There are no entries or products yet.',
    model: 'Model',
    noModel: 'None yet. It is chosen with the first entry.',
    target: 'New model',
    queue: 'Waiting',
    failing: 'Of these, tried in vain',
    lastError: 'What the provider said last',
  },
  memory: {
    title: 'Search memory',
    help: 'What the search index of your organisation takes in memory. An index that nobody has searched lately takes nothing.',
    used: 'Used',
    of: (used: string, all: string) => `${used} of ${all}`,
    documents: 'Entries and products in memory',
    passages: 'Passages of text',
    none: 'Search is starting again.',
  },
  quotas: {
    title: 'Quotas',
    help: 'What the operator of the service lets your organisation have and use.',
    entries: 'Entries',
    bytes: 'Text',
    bytesHelp: 'With earlier versions and the bin.',
    tokens: 'Tokens this month',
    requests: 'Requests per minute',
    of: (used: string, most: string) => `${used} of ${most}`,
    unbounded: (used: string) => `${used}, no quota`,
    none: 'No quota',
    paused: (until: string) =>
      `The tokens of this month are used up. Until ${until} search goes by words, and what is written is found by its words.`,
  },
  service: { title: 'Service', version: 'Version' },
}
export type SystemWords = typeof words
