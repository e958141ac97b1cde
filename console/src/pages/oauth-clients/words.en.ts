export interface OauthWords {
  title: string
  titleOwn: string
  intro: string
  introOwn: string
  grants: string
  grantsHelp: string
  connectTo: (address: string) => string
  application: string
  person: string
  noPerson: string
  permissions: string
  since: string
  until: string
  lastUsed: string
  noGrants: string
  noGrantsHelp: string
  disconnect: string
  disconnectNamed: (name: string) => string
  disconnectTitle: string
  disconnectText: (name: string) => string
  disconnected: (name: string) => string
  clients: string
  clientsHelp: string
  registration: string
  registrations: { key: string; open: string; document: string }
  redirects: string
  noRedirects: string
  noClients: string
  noClientsHelp: string
  remove: string
  removeNamed: (name: string) => string
  removeTitle: string
  removeText: (name: string) => string
  removed: (name: string) => string
}

export const words: OauthWords = {
  title: 'OAuth clients',
  titleOwn: 'Connected applications',
  intro: 'Assistants and other applications that people of your organisation have connected.',
  introOwn: 'Assistants and other applications that you have connected.',
  grants: 'Connections',
  grantsHelp: 'Who allowed which application to do what.',
  connectTo: (address) => `Assistants connect to ${address}`,
  application: 'Application',
  person: 'Person',
  noPerson: 'No person (application itself)',
  permissions: 'Permissions',
  since: 'Since',
  until: 'Until',
  lastUsed: 'Last used',
  noGrants: 'No application is connected.',
  noGrantsHelp: 'When somebody allows an assistant to connect, the assistant appears here.',
  disconnect: 'Disconnect',
  disconnectNamed: (name) => `Disconnect ${name}`,
  disconnectTitle: 'Disconnect this application?',
  disconnectText: (name) => `“${name}” loses access immediately and has to ask for permission again.`,
  disconnected: (name) => `“${name}” is disconnected.`,
  clients: 'Registered applications',
  clientsHelp: 'Applications that may ask people for access.',
  registration: 'Registration',
  registrations: { key: 'With an API key', open: 'By the application itself', document: 'By a client document' },
  redirects: 'Returns to',
  noRedirects: 'No address',
  noClients: 'No application is registered.',
  noClientsHelp:
    'Registering takes an API key with the permission “Register applications”. Assistants register themselves if you let them, under Connect.',
  remove: 'Remove',
  removeNamed: (name) => `Remove ${name}`,
  removeTitle: 'Remove this application?',
  removeText: (name) => `“${name}” is removed and loses all of its connections immediately. This cannot be undone.`,
  removed: (name) => `“${name}” is removed.`,
}
