/**
 * The acts of the application, for the types of `recordAct`. A capability declares the same words in `audit`:
 * `declare module '@svc/auth/server' { interface AppActs { orders: (typeof orderActs)[number] } }`.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- the application adds its words
export interface AppActs {}

/** An act that `recordAct` takes: without `AppActs` there is none. */
export type AppAct<Application = AppActs> = Application[keyof Application] & string
