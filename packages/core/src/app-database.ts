/**
 * The application's database, for the types of `c.db.query`:
 * `declare module '@svc/core' { interface AppDatabase { schema: typeof schema } }`.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- the application adds its schema
export interface AppDatabase {}
