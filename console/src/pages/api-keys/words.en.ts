export interface ApiKeysWords {
  apiKeys: {
    title: string
    intro: string
    issue: string
    table: string
    name: string
    permissions: string
    user: string
    created: string
    expires: string
    lastUsed: string
    state: string
    states: { active: string; expired: string; revoked: string }
    hint: (hint: string) => string
    onPages: (origins: readonly string[]) => string
    empty: string
    emptyHelp: string
    forbidden: string
    forbiddenHelp: string
    revoke: string
    revokeNamed: (name: string) => string
    revokeTitle: string
    revokeText: (name: string) => string
    revoked: (name: string) => string
    revokeIssued: (count: number) => string
    revokedWithIssued: (name: string, count: number) => string
    issuer: { person: (name: string) => string; key: (name: string) => string; cli: string }
  }
  issueKey: {
    title: string
    kind: string
    kinds: Record<'secret' | 'publishable', { name: string; help: string }>
    name: string
    nameHelp: string
    preset: string
    ownChoice: string
    permissions: string
    user: string
    userHelp: string
    noUser: string
    expiry: string
    expiries: { never: string; days30: string; days90: string; year: string; date: string }
    date: string
    submit: string
    busy: string
    nameNeeded: string
    permissionNeeded: string
    dateNeeded: string
  }
  publishKey: {
    nameHelp: string
    origins: string
    originsHelp: string
    originNeeded: string
    sections: string
    sectionNames: Record<'knowledge' | 'products', { name: string; help: string }>
    sectionNeeded: string
    sites: string
    sitesHelp: string
  }
  issuedKey: { title: string; warning: string; key: string; done: string }
}

export const words: ApiKeysWords = {
  apiKeys: {
    title: 'API keys',
    intro:
      'Programs use an API key to access the service. A key has the permissions it was given, but never more than its user.',
    issue: 'Issue key',
    table: 'API keys',
    name: 'Name',
    permissions: 'Permissions',
    user: 'User',
    created: 'Created',
    expires: 'Expires',
    lastUsed: 'Last used',
    state: 'Status',
    states: { active: 'Active', expired: 'Expired', revoked: 'Revoked' },
    hint: (hint) => `begins with ${hint}`,
    onPages: (origins) => `on pages of ${origins.join(', ')}`,
    empty: 'There is no API key yet.',
    emptyHelp: 'Issue one to connect a program.',
    forbidden: 'Only administrators can manage API keys.',
    forbiddenHelp: 'Ask an administrator of your organisation if you need a key.',
    revoke: 'Revoke',
    revokeNamed: (name) => `Revoke ${name}`,
    revokeTitle: 'Revoke this key?',
    revokeText: (name) => `Programs that use “${name}” lose access immediately. This cannot be undone.`,
    revoked: (name) => `“${name}” is revoked.`,
    revokeIssued: (count) =>
      count === 1 ? 'Also revoke the 1 key issued with it' : `Also revoke the ${count} keys issued with it`,
    revokedWithIssued: (name, count) =>
      `“${name}” and the keys issued with it: ${count === 1 ? '1 key is' : `${count} keys are`} revoked.`,
    issuer: { person: (name) => `by ${name}`, key: (name) => `by the key “${name}”`, cli: 'from the command line' },
  },
  issueKey: {
    title: 'Issue an API key',
    kind: 'For',
    kinds: {
      secret: { name: 'Programs', help: 'The key stays secret.' },
      publishable: { name: 'Web pages', help: 'Everybody can read it; it searches only what is public.' },
    },
    name: 'Name',
    nameHelp: 'What the key is for, such as “Website import”.',
    preset: 'Role',
    ownChoice: 'Custom',
    permissions: 'Permissions',
    user: 'User',
    userHelp: 'The key acts as this person and never has more permissions than the person’s role.',
    noUser: 'No user',
    expiry: 'Expires',
    expiries: {
      never: 'Never',
      days30: 'After 30 days',
      days90: 'After 90 days',
      year: 'After one year',
      date: 'On a date',
    },
    date: 'Last day',
    submit: 'Issue key',
    busy: 'Issuing …',
    nameNeeded: 'Please give the key a name.',
    permissionNeeded: 'Please choose at least one permission.',
    dateNeeded: 'Please choose a date in the future.',
  },
  publishKey: {
    nameHelp: 'What the key is for, such as “Search on the website”.',
    origins: 'Addresses of the pages',
    originsHelp: 'Such as https://www.example.com. Press Enter after each one. Other pages cannot use the key.',
    originNeeded: 'Enter at least one address, like https://www.example.com.',
    sections: 'Searches',
    sectionNames: {
      knowledge: { name: 'Knowledge', help: 'Public entries' },
      products: { name: 'Products', help: 'What the sites sell' },
    },
    sectionNeeded: 'Choose at least one.',
    sites: 'Only on these sites',
    sitesHelp: 'Without a choice: on all sites.',
  },
  issuedKey: {
    title: 'Your new key',
    warning: 'Copy the key now and keep it in a safe place. It is shown only once.',
    key: 'API key',
    done: 'I’ve saved it',
  },
}
