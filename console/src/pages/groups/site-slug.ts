const PLAIN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** Returns the short name of a site for programs, made of its name; empty when no part of the name can be in one. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[äöüß]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '')
