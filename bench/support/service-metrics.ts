/** A figure of the service's metrics. @param name with its labels */
export async function metricOf(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  if (line === undefined) throw new Error(`There is no metric ${name}`)
  return Number(line.slice(name.length))
}
