/** The folders of an absolute path, of Unix or Windows, or of a file's URL. The name behind them is not part of it. */
const FOLDERS = /(?:file:\/\/(?:\/[a-z]:)?|\b[a-z]:|(?<![\w.:/\\]))[/\\](?:[^\s/\\'"`:;,()[\]]+[/\\])+/gi

/**
 * Returns a message of the runtime or of the system without the folders that it names, since tenants see why their texts
 * are not read, and where the service is installed concerns none of them. The names of files stay.
 * @param known folders that are removed also where their names have spaces
 */
export function withoutFolders(message: string, known: readonly string[] = []): string {
  const withoutKnown = known.reduce((text, folder) => text.replaceAll(folder, ''), message)
  return withoutKnown.replace(FOLDERS, '')
}
