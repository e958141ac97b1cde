import { pageWords } from '../../i18n/language.tsx'

export const usePeopleWords = pageWords({
  title: { en: 'People', de: 'Personen' },
  intro: {
    en: 'Who works with your knowledge, and what they may do.',
    de: 'Wer mit Ihrem Wissen arbeitet und was diese Personen dürfen.',
  },
  forbidden: { en: 'Only administrators can manage people.', de: 'Nur Administratoren können Personen verwalten.' },
  forbiddenHelp: {
    en: 'Ask an administrator of your organisation if somebody needs access.',
    de: 'Wenden Sie sich an die Administration Ihrer Organisation, wenn jemand Zugang braucht.',
  },
  parts: {
    people: { en: 'People', de: 'Personen' },
    invitations: { en: 'Invitations', de: 'Einladungen' },
  },
  roles: {
    reader: { en: 'Searches and reads, and keeps personal notes.', de: 'Sucht und liest und hat persönliche Notizen.' },
    editor: {
      en: 'Also writes, changes and deletes entries, and orders categories.',
      de: 'Schreibt, ändert und löscht auch Einträge und ordnet Kategorien.',
    },
    admin: {
      en: 'Also manages people, keys and settings.',
      de: 'Verwaltet auch Personen, Schlüssel und Einstellungen.',
    },
  },
  list: {
    search: { en: 'Search by name or email address', de: 'Nach Name oder E-Mail-Adresse suchen' },
    role: { en: 'Role', de: 'Rolle' },
    anyRole: { en: 'All roles', de: 'Alle Rollen' },
    state: { en: 'Status', de: 'Status' },
    anyState: { en: 'All', de: 'Alle' },
    states: {
      active: { en: 'Active', de: 'Aktiv' },
      disabled: { en: 'Disabled', de: 'Gesperrt' },
    },
    person: { en: 'Person', de: 'Person' },
    ceiling: { en: 'Sees up to', de: 'Sieht bis' },
    upTo: { en: (level: string) => `sees up to ${level}`, de: (level) => `sieht bis ${level}` },
    since: { en: 'Here since', de: 'Dabei seit' },
    table: { en: 'People', de: 'Personen' },
    you: { en: 'You', de: 'Sie' },
  },
  access: {
    role: { en: 'Role', de: 'Rolle' },
    ceiling: { en: 'Sees entries up to', de: 'Sieht Einträge bis' },
    asRole: { en: (level: string) => `As the role: ${level}`, de: (level) => `Wie die Rolle: ${level}` },
    lessEnds: {
      en: 'This takes something away. Keys in the person’s own name and their assistants go on, within the new role.',
      de: 'Das nimmt etwas weg. Schlüssel auf den Namen der Person und ihre Assistenten gelten weiter, im Rahmen der neuen Rolle.',
    },
    asRoleHelp: { en: 'Follows the role if that changes.', de: 'Folgt der Rolle, wenn sie sich ändert.' },
    lastAdministrator: {
      en: 'This is the last active administrator. Make somebody else an administrator first.',
      de: 'Das ist der letzte aktive Administrator. Machen Sie zuerst jemand anderen dazu.',
    },
    name: { en: 'Name', de: 'Name' },
    nameNeeded: { en: 'Please enter a name.', de: 'Bitte geben Sie einen Namen ein.' },
  },
  invite: {
    open: { en: 'Invite person', de: 'Person einladen' },
    title: { en: 'Invite a person', de: 'Person einladen' },
    byMail: {
      en: 'The person gets an email with a link, and chooses a name and a password there.',
      de: 'Die Person bekommt eine E-Mail mit einem Link und wählt dort Name und Passwort.',
    },
    byHand: {
      en: 'You get a link to pass on. Whoever opens it chooses a name and a password. This service sends no mail; its operator can change that.',
      de: 'Sie bekommen einen Link zum Weitergeben. Wer ihn öffnet, wählt Name und Passwort. Dieser Dienst verschickt keine E-Mails; der Betreiber kann das ändern.',
    },
    email: { en: 'Email address', de: 'E-Mail-Adresse' },
    expiry: { en: 'The link works for', de: 'Der Link gilt' },
    expiries: {
      day: { en: 'One day', de: 'Einen Tag' },
      days3: { en: 'Three days', de: 'Drei Tage' },
      week: { en: 'One week', de: 'Eine Woche' },
      month: { en: '30 days', de: '30 Tage' },
    },
    submit: { en: 'Invite', de: 'Einladen' },
    busy: { en: 'Inviting …', de: 'Wird eingeladen …' },
    known: {
      en: 'Somebody with this address is here already, or is invited.',
      de: 'Jemand mit dieser Adresse ist schon dabei oder eingeladen.',
    },
    noAddress: {
      en: 'Please enter a full email address, like name@example.com.',
      de: 'Bitte geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel name@example.com.',
    },
    many: {
      en: 'There are too many open invitations. Withdraw some first.',
      de: 'Es sind zu viele Einladungen offen. Ziehen Sie zuerst einige zurück.',
    },
    mailed: {
      en: (email: string) => `The invitation is on its way to ${email}.`,
      de: (email) => `Die Einladung ist unterwegs an ${email}.`,
    },
  },
  link: {
    invitation: { en: 'The invitation is ready', de: 'Die Einladung ist bereit' },
    password: { en: 'The link for a new password is ready', de: 'Der Link für ein neues Passwort ist bereit' },
    text: {
      en: (email: string, until: string) => `Pass this link on to ${email}. It works once, until ${until}.`,
      de: (email, until) => `Geben Sie diesen Link an ${email} weiter. Er gilt einmal, bis ${until}.`,
    },
    warning: {
      en: 'Copy the link now: it is shown only once. Whoever has it can use it.',
      de: 'Kopieren Sie den Link jetzt: Er wird nur einmal angezeigt. Wer ihn hat, kann ihn benutzen.',
    },
    label: { en: 'Link', de: 'Link' },
    done: { en: 'I have passed it on', de: 'Ich habe ihn weitergegeben' },
  },
  invitations: {
    table: { en: 'Open invitations', de: 'Offene Einladungen' },
    email: { en: 'Email address', de: 'E-Mail-Adresse' },
    by: { en: 'Invited by', de: 'Eingeladen von' },
    byKey: { en: 'A program', de: 'Einem Programm' },
    until: { en: 'Link', de: 'Link' },
    over: { en: 'Over', de: 'Abgelaufen' },
    ends: { en: 'Works until', de: 'Gilt bis' },
    empty: { en: 'Nobody is invited at the moment.', de: 'Zurzeit ist niemand eingeladen.' },
    emptyHelp: {
      en: 'Whoever accepts an invitation moves to the list of people.',
      de: 'Wer eine Einladung annimmt, steht danach unter den Personen.',
    },
    again: { en: 'Send again', de: 'Erneut senden' },
    againNamed: {
      en: (email: string) => `Send again: invitation of ${email}`,
      de: (email) => `Erneut senden: Einladung an ${email}`,
    },
    againTitle: { en: 'Send the invitation again?', de: 'Einladung erneut senden?' },
    againText: {
      en: (email: string) => `${email} gets a new link, which works for three days. The one before stops working.`,
      de: (email) => `${email} bekommt einen neuen Link, der drei Tage gilt. Der bisherige gilt dann nicht mehr.`,
    },
    withdraw: { en: 'Withdraw', de: 'Zurückziehen' },
    withdrawNamed: {
      en: (email: string) => `Withdraw the invitation of ${email}`,
      de: (email) => `Einladung an ${email} zurückziehen`,
    },
    withdrawTitle: { en: 'Withdraw this invitation?', de: 'Diese Einladung zurückziehen?' },
    withdrawText: {
      en: (email: string) => `The link of ${email} stops working.`,
      de: (email) => `Der Link für ${email} gilt dann nicht mehr.`,
    },
    withdrawn: {
      en: (email: string) => `The invitation of ${email} is withdrawn.`,
      de: (email) => `Die Einladung an ${email} ist zurückgezogen.`,
    },
  },
  person: {
    back: { en: 'All people', de: 'Alle Personen' },
    gone: { en: 'There is no such person', de: 'Diese Person gibt es nicht' },
    goneHelp: {
      en: 'They were erased, or belong to another organisation.',
      de: 'Sie wurde gelöscht oder gehört zu einer anderen Organisation.',
    },
    since: { en: 'Here since', de: 'Dabei seit' },
    state: { en: 'Status', de: 'Status' },
    disabledSince: { en: (day: string) => `Disabled since ${day}`, de: (day) => `Gesperrt seit ${day}` },
    language: { en: 'Language', de: 'Sprache' },
    asBrowser: { en: 'As the browser', de: 'Wie der Browser' },
    you: {
      en: 'This is you. Your name, password, second factors and sign-ins are in your account.',
      de: 'Das sind Sie. Name, Passwort, zweite Faktoren und Anmeldungen finden Sie in Ihrem Konto.',
    },
    toAccount: { en: 'Go to your account', de: 'Zu Ihrem Konto' },
    more: {
      en: 'This person may do more than you. Only an administrator who may do at least as much can change anything here.',
      de: 'Diese Person darf mehr als Sie. Ändern kann hier nur ein Administrator etwas, der mindestens so viel darf.',
    },
    access: { en: 'Name and role', de: 'Name und Rolle' },
    signIn: {
      title: { en: 'What they sign in with', de: 'Womit sich die Person anmeldet' },
      password: { en: 'Password', de: 'Passwort' },
      app: { en: 'Authenticator app', de: 'Authenticator-App' },
      passkeys: { en: 'Passkeys', de: 'Passkeys' },
      codes: { en: 'Recovery codes left', de: 'Übrige Wiederherstellungscodes' },
      yes: { en: 'Set up', de: 'Eingerichtet' },
      no: { en: 'Not set up', de: 'Nicht eingerichtet' },
      newPassword: { en: 'Create a password link', de: 'Link für neues Passwort geben' },
      newPasswordTitle: { en: 'Create a password link?', de: 'Link für ein neues Passwort geben?' },
      newPasswordText: {
        en: (name: string) =>
          `${name} chooses a new password by the link, once, within three days. The present password works until then. With the new one ${name} is signed out everywhere.`,
        de: (name) =>
          `${name} wählt unter dem Link ein neues Passwort, einmal und innerhalb von drei Tagen. Bis dahin gilt das bisherige. Danach ist ${name} überall abgemeldet.`,
      },
      newPasswordMailed: {
        en: (email: string) => `The link is on its way to ${email}.`,
        de: (email) => `Der Link ist unterwegs an ${email}.`,
      },
      isDisabled: {
        en: 'Enable the person first to create a password link.',
        de: 'Entsperren Sie die Person zuerst, um einen Link für ein neues Passwort zu geben.',
      },
      resetFactors: { en: 'Reset second factors', de: 'Zweite Faktoren zurücksetzen' },
      resetFactorsTitle: { en: 'Reset the second factors?', de: 'Zweite Faktoren zurücksetzen?' },
      resetFactorsText: {
        en: (name: string) =>
          `For somebody who lost phone or key. Authenticator app, passkeys and recovery codes of ${name} end, and all sign-ins with them. ${name} is told at the next sign-in. Make sure that it was really ${name} who asked.`,
        de: (name) =>
          `Für jemanden, der Telefon oder Schlüssel verloren hat. Authenticator-App, Passkeys und Wiederherstellungscodes von ${name} enden, und alle Anmeldungen damit. ${name} erfährt es bei der nächsten Anmeldung. Vergewissern Sie sich, dass wirklich ${name} darum gebeten hat.`,
      },
      factorsReset: {
        en: (name: string) => `The second factors of ${name} are reset.`,
        de: (name) => `Die zweiten Faktoren von ${name} sind zurückgesetzt.`,
      },
    },
    sessions: {
      title: { en: 'Where they are signed in', de: 'Wo die Person angemeldet ist' },
      none: { en: 'Not signed in anywhere.', de: 'Die Person ist nirgends angemeldet.' },
      end: { en: 'Sign out everywhere', de: 'Überall abmelden' },
      endTitle: { en: 'Sign this person out everywhere?', de: 'Diese Person überall abmelden?' },
      endText: {
        en: (name: string) =>
          `${name} has to sign in again in every browser. What was not saved there is kept for after that. Keys and connected applications go on.`,
        de: (name) =>
          `${name} muss sich in jedem Browser neu anmelden. Nicht Gespeichertes bleibt dort bis dahin erhalten. Schlüssel und verbundene Anwendungen gelten weiter.`,
      },
      ended: {
        en: (name: string) => `${name} is signed out everywhere.`,
        de: (name) => `${name} ist überall abgemeldet.`,
      },
    },
    ending: {
      own: {
        en: (name: string, keys: string) => `Keys in the name of ${name}: ${keys}.`,
        de: (name, keys) => `Schlüssel auf den Namen von ${name}: ${keys}.`,
      },
      nothing: {
        en: (name: string) => `${name} issued no keys and registered no applications that others could still use.`,
        de: (name) =>
          `${name} hat keine Schlüssel ausgestellt und keine Anwendungen registriert, die andere noch benutzen könnten.`,
      },
      intro: {
        en: (name: string) =>
          `${name} issued these keys or registered these applications, and knows their secrets. They end for good, unless you choose an administrator who is responsible for them from now on.`,
        de: (name) =>
          `${name} hat diese Schlüssel ausgestellt oder diese Anwendungen registriert und kennt ihre Geheimnisse. Sie enden endgültig, außer Sie wählen einen Administrator, der künftig dafür verantwortlich ist.`,
      },
      less: {
        own: {
          en: (name: string, keys: string) =>
            `These keys in the name of ${name} could do nothing any more, and end for good: ${keys}.`,
          de: (name, keys) =>
            `Diese Schlüssel auf den Namen von ${name} könnten nichts mehr und enden endgültig: ${keys}.`,
        },
        nothing: {
          en: (name: string) => `No key that ${name} issued and no application that they registered ends.`,
          de: (name) => `Kein Schlüssel, den ${name} ausgestellt hat, und keine registrierte Anwendung endet.`,
        },
        intro: {
          en: (name: string) =>
            `${name} issued these keys or registered these applications, which may do more than ${name} then may. They end for good, unless you choose an administrator who is responsible for them from now on.`,
          de: (name) =>
            `${name} hat diese Schlüssel ausgestellt oder diese Anwendungen registriert, und sie dürfen mehr als ${name} danach. Sie enden endgültig, außer Sie wählen einen Administrator, der künftig dafür verantwortlich ist.`,
        },
      },
      withoutPrompts: {
        en: (names: string) => `These lose for good the right to offer prompts to others: ${names}.`,
        de: (names) => `Diese verlieren endgültig das Recht, anderen Prompts anzubieten: ${names}.`,
      },
      ends: { en: 'Nobody: it ends for good', de: 'Niemand: endet endgültig' },
      key: {
        en: (name: string, hint: string) => `Key “${name}” (${hint}…)`,
        de: (name, hint) => `Schlüssel „${name}“ (${hint}…)`,
      },
      client: { en: (name: string) => `Application “${name}”`, de: (name) => `Anwendung „${name}“` },
    },
    leave: {
      title: { en: 'Take access away', de: 'Zugang nehmen' },
      disable: { en: 'Disable', de: 'Sperren' },
      disableHelp: {
        en: 'Ends the access of this person at once. You can enable them again at any time; keys that they issued for others, and applications that they registered, do not come back.',
        de: 'Beendet den Zugang dieser Person sofort. Sie können sie jederzeit wieder entsperren; Schlüssel, die sie für andere ausgestellt hat, und Anwendungen, die sie registriert hat, kommen nicht zurück.',
      },
      disableTitle: { en: 'Disable this person?', de: 'Diese Person sperren?' },
      disableText: {
        en: (name: string) =>
          `${name} is signed out everywhere, and the assistants that this person connected end. Keys in their name are refused until you enable them again. Everything that they wrote stays.`,
        de: (name) =>
          `${name} wird überall abgemeldet, und die Assistenten, die diese Person verbunden hat, verlieren ihren Zugang. Schlüssel auf ihren Namen werden abgelehnt, bis Sie die Person wieder entsperren. Alles, was sie geschrieben hat, bleibt.`,
      },
      end: { en: 'End …', de: 'Beenden …' },
      endNow: { en: 'End for good', de: 'Endgültig beenden' },
      endHelp: {
        en: 'Keys that this person issued or applications that they registered still work.',
        de: 'Schlüssel, die diese Person ausgestellt hat, oder Anwendungen, die sie registriert hat, gelten noch.',
      },
      endTitle: { en: 'End these keys and applications?', de: 'Diese Schlüssel und Anwendungen beenden?' },
      endText: {
        en: (name: string) => `${name} knows their secrets. Those that you hand to nobody end at once, for good.`,
        de: (name) => `${name} kennt ihre Geheimnisse. Was Sie niemandem übergeben, endet sofort und endgültig.`,
      },
      ended: {
        en: (name: string) => `What ${name} issued has ended.`,
        de: (name) => `Was ${name} ausgestellt hat, ist beendet.`,
      },
      disabled: { en: (name: string) => `${name} is disabled.`, de: (name) => `${name} ist gesperrt.` },
      enable: { en: 'Enable', de: 'Entsperren' },
      enableHelp: {
        en: 'This person is disabled. Once you enable them, they can sign in again, and keys in their name work again.',
        de: 'Diese Person ist gesperrt. Wenn Sie sie entsperren, kann sie sich wieder anmelden, und Schlüssel auf ihren Namen gelten wieder.',
      },
      enabled: { en: (name: string) => `${name} is enabled.`, de: (name) => `${name} ist entsperrt.` },
      erase: { en: 'Erase …', de: 'Löschen …' },
      eraseNow: { en: 'Erase for good', de: 'Endgültig löschen' },
      eraseHelp: {
        en: 'For people who have left and whose name and email address must not stay here. It cannot be undone.',
        de: 'Für Personen, die nicht mehr dabei sind und deren Name und E-Mail-Adresse hier nicht bleiben dürfen. Das lässt sich nicht rückgängig machen.',
      },
      eraseTitle: { en: (name: string) => `Erase ${name} for good?`, de: (name) => `${name} endgültig löschen?` },
      eraseText: { en: 'This cannot be undone:', de: 'Das lässt sich nicht rückgängig machen:' },
      eraseFacts: {
        en: [
          'They are signed out everywhere; their keys and the assistants that they connected end.',
          'Their personal notes are deleted with all versions.',
          'A pseudonym replaces name and email address, as author and in the audit trail too.',
          'Everything else that they wrote stays.',
        ],
        de: [
          'Die Person wird überall abgemeldet; ihre Schlüssel und die Assistenten, die sie verbunden hat, enden.',
          'Ihre persönlichen Notizen werden mit allen Fassungen gelöscht.',
          'Ein Pseudonym ersetzt Name und E-Mail-Adresse, auch als Autor und im Protokoll.',
          'Alles andere, was sie geschrieben hat, bleibt.',
        ],
      },
      eraseConfirm: {
        en: (email: string) => `Type ${email} to confirm`,
        de: (email) => `Geben Sie zur Bestätigung ${email} ein`,
      },
      eraseMismatch: {
        en: 'This is not the email address of the person.',
        de: 'Das ist nicht die E-Mail-Adresse der Person.',
      },
      erased: { en: (name: string) => `${name} is erased.`, de: (name) => `${name} ist gelöscht.` },
    },
  },
})
