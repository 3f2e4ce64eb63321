/** Names, by the path of a test file, the environment variable that says where the service is that the file tests. */
export type Needs = Readonly<Record<string, string>>

/** Returns the variable that a file needs and does not have: it is not started then, rather than passing without a test. */
export function unmetNeed(
  path: string,
  needs: Needs,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const variable = needs[path]
  return variable === undefined || environment[variable] ? undefined : variable
}
