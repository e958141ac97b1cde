interface KindWords {
  readonly title: string
  readonly intro: string
  readonly find: string
  readonly foundNone: string
  readonly list: string
  readonly add: string
  readonly empty: string
  readonly emptyHelp: string
  readonly emptyReader: string
  readonly choose: string
  readonly gone: string
  readonly readOnly: string
  readonly createTitle: string
  readonly editTitle: string
  readonly create: string
  readonly created: (name: string) => string
  readonly removeTitle: (name: string) => string
  readonly removeText: string
  readonly removed: (name: string) => string
  readonly notEmpty: string
}

const projects: KindWords = {
  title: 'Projects',
  intro: 'A project gathers entries from all categories for one purpose.',
  find: 'Find a project',
  foundNone: 'No project has this in its name.',
  list: 'Projects',
  add: 'New project',
  empty: 'There are no projects yet.',
  emptyHelp: 'Create one, such as “New warehouse”, and add the entries that belong to it.',
  emptyReader: 'An editor can create one.',
  choose: 'Choose a project to see its entries.',
  gone: 'This project does not exist any more.',
  readOnly: 'You can read projects. Editors and administrators can change them.',
  createTitle: 'New project',
  editTitle: 'Change project',
  create: 'Create project',
  created: (name) => `“${name}” is created.`,
  removeTitle: (name) => `Delete “${name}”?`,
  removeText: 'Its entries stay where they are; they just no longer appear together here.',
  removed: (name) => `“${name}” is deleted.`,
  notEmpty: '',
}

const workspaces: KindWords = {
  title: 'Workspaces',
  intro: 'Entries of a workspace are for its members, once your organisation has workspaces switched on.',
  find: 'Find a workspace',
  foundNone: 'No workspace has this in its name.',
  list: 'Workspaces',
  add: 'New workspace',
  empty: 'There are no workspaces yet.',
  emptyHelp: 'Create one for a team whose entries are not for everybody. You are its first member.',
  emptyReader: 'An administrator can create one.',
  choose: 'Choose a workspace to see who is in it.',
  gone: 'This workspace does not exist any more.',
  readOnly: 'Administrators see and change who is a member.',
  createTitle: 'New workspace',
  editTitle: 'Change workspace',
  create: 'Create workspace',
  created: (name) => `“${name}” is created, with you as its first member.`,
  removeTitle: (name) => `Delete “${name}”?`,
  removeText: 'Its members stay users. A workspace that still has entries cannot be deleted.',
  removed: (name) => `“${name}” is deleted.`,
  notEmpty: 'The workspace still has entries. Move them to another one or delete them first.',
}

const sites: KindWords = {
  title: 'What sites show',
  intro: 'Choose the entries that visitors of a shop, page or intranet find there.',
  find: 'Find a site',
  foundNone: 'No site has this in its name.',
  list: 'Sites',
  add: 'New site',
  empty: 'There are no sites yet.',
  emptyHelp: 'Create one for each shop, page or intranet that shows entries or products.',
  emptyReader: 'An administrator can create one.',
  choose: 'Choose a site to see its entries.',
  gone: 'This site does not exist any more.',
  readOnly: 'You can see what is shown. Administrators can change it.',
  createTitle: 'New site',
  editTitle: 'Change site',
  create: 'Create site',
  created: (name) => `“${name}” is created.`,
  removeTitle: (name) => `Delete “${name}”?`,
  removeText: 'Only a site without products and entries can be deleted. Programs that name it are refused afterwards.',
  removed: (name) => `“${name}” is deleted.`,
  notEmpty: 'The site still has products or entries. Delete its products and take out its entries first.',
}

export const words = {
  kinds: { projects, workspaces, sites },
  site: {
    edit: 'Change',
    slug: 'Short name',
    slugHelp: 'Shops, web pages and programs name the site by it. If you change it, they need the new one.',
    slugNeeded: 'Enter 1 to 63 lower-case letters from a to z, digits and hyphens.',
    slugTaken: 'Another site has this short name.',
    domain: 'Domain',
    domainHelp: 'Such as shop.example.com.',
    type: 'Kind',
    types: { website: 'Website', shop: 'Shop', app: 'App', intranet: 'Intranet', other: 'Other' },
    language: 'Language',
    default: 'Default site',
    isDefault: 'Yes. It cannot be deleted until another site is the default.',
    makeDefault: 'Make it the default site',
  },
  name: 'Name',
  nameNeeded: 'Enter a name.',
  description: 'Description',
  save: 'Save',
  saved: 'Saved.',
  edit: 'Rename',
  remove: 'Delete',
  entries: 'Entries',
  noEntries: 'No entry is here yet.',
  noEntriesHelp: 'Find one above by its title.',
  addEntry: 'Add an entry',
  addEntryHelp: 'Type some words of its title, and choose it.',
  added: (title: string) => `“${title}” is added.`,
  takeOut: 'Take out',
  takeOutNamed: (title: string) => `Take out ${title}`,
  takenOut: (title: string) => `“${title}” is taken out. The entry itself stays.`,
  entryTitle: 'Title',
  changed: 'Changed',
  members: 'Members',
  noMembers: 'Nobody is a member yet.',
  noMembersHelp: 'Add somebody above.',
  addMember: 'Add a person',
  addMemberHelp: 'Type a part of the name or email address.',
  person: 'Person',
  role: 'Role',
  memberAdded: (name: string) => `${name} is a member now.`,
  leave: 'Leave',
  leaveTitle: 'Leave this workspace?',
  leaveText: 'With workspaces switched on, you do not see its entries any more. An administrator can add you again.',
  memberRemoved: (name: string) => `${name} is not a member any more.`,
  nobody: 'Nobody',
}

export type GroupsWords = typeof words
