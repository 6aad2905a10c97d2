/** What an application keeps of a user, as JSON. */
export type ApplicationData = (userId: string) => Promise<Record<string, unknown>>
