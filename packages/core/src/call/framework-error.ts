import type * as errors from '../errors/contract.ts'
import type { ApiUnreachableError } from './api-unreachable-error.ts'

type Instances<Classes> = {
  [Name in keyof Classes]: Classes[Name] extends new (
    ...args: never[]
  ) => infer Instance
    ? Instance
    : never
}[keyof Classes]

/** What any operation may be refused with. Each has a literal `name`, so that a caller can tell them apart by it. */
export type FrameworkError = Instances<typeof errors> | ApiUnreachableError
