import { bodyForm } from '../bodies/contract.ts'
import type { RouteLimit } from '../limits/contract.ts'
import type { AnySchema, InputSchemas } from '../schema/schema.ts'
import type { ErrorClass } from './error-class.ts'
import type { MiddlewareDocuments } from './middleware-documents.ts'

/** The HTTP methods that a route can have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface DeclaredAnswer {
  readonly schema: AnySchema
  readonly status: number
  /** Other statuses with the same body. */
  readonly otherStatuses: readonly number[]
}

/** An operation without its handler: everything that documents and clients are made from. */
export interface Operation {
  readonly method: Method
  readonly path: string
  readonly input: InputSchemas
  readonly answer?: DeclaredAnswer
  readonly errors: readonly ErrorClass[]
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  /** What its handler itself requires of a request, as a middleware would. */
  readonly asks?: MiddlewareDocuments
  /** The largest body that it accepts; the server's limit unless set. */
  readonly maxBodyBytes?: number
  /** A request with a repeated `Idempotency-Key` gets the same answer. */
  readonly isIdempotent?: true
  /** How often it may be called. */
  readonly limits?: readonly RouteLimit[]
  readonly contract?: ContractPlace
  /** Set if programs of others may choose it by its words: see `.tool(…)`. */
  readonly tool?: ToolWords
}

/** What a program that chooses among tools reads of an operation. */
export interface ToolWords {
  /** A few words that a user reads: `Post a notice`. */
  readonly title: string
  /** What it does and when to choose it, for the model that chooses. */
  readonly describe: string
  /** The permission that a program needs, for a route that asks none of its callers. */
  readonly permission?: string
  /** Whether the owner of the account approves each call that a program makes of it, by its values. */
  readonly confirm?: boolean
  /** The part of the answer that a model can use. All of it unless set. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each operation has a body of its own
  readonly view?: (body: any) => unknown
  /** What a model gets in place of JSON: texts, images, sound, or parts of documents. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the same
  readonly contents?: (body: any) => readonly ToolContent[]
  /** Set if the route starts a job, whose state another route reads. */
  readonly task?: ToolTask
}

/** How far the job of a tool is. */
export type ToolTaskState = 'working' | 'completed' | 'failed' | 'cancelled'

/** Where a job goes on that a tool has started. The application keeps its state, and these routes are the only way to it. */
export interface ToolTask {
  /** The name of the GET route that reads the state. Once the job is over, its answer is what the model gets. */
  readonly read: string
  /** The name of the route that cancels the job. It can't be cancelled unless set. */
  readonly cancel?: string
  /** What both routes take, with the member of this route's answer that has it: `{ exportId: 'id' }`. */
  readonly params: Readonly<Record<string, string>>
  /** The state that an answer of `read` tells. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each operation has a body of its own
  readonly state: (body: any) => ToolTaskState
  /** How many seconds a program waits before it reads again; 5 unless set. */
  readonly pollSeconds?: number
}

/** A part of what a model gets of a tool, as the Model Context Protocol writes it. Bytes are base64. */
export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: ToolDocument }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string }

/** A document, with the address under which the program can refer to it. */
export type ToolDocument = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string }
  | { readonly blob: string }
)

/** The place of an operation in the contract that device clients are built against. */
export interface ContractPlace {
  /** Its name there, such as `auth.keys.list`. */
  readonly name: string
  /** The device signs its body: see `clientProofV1`. */
  readonly proof: boolean
}

/** The largest body that an operation accepts, if it says so itself. */
export function boundOf({ input, maxBodyBytes }: Operation) {
  return bodyForm(input.body)?.maxBytes ?? maxBodyBytes
}

/** Whether the body of an operation goes to a file before it is processed. */
export function isInFile({ input }: Operation) {
  return (bodyForm(input.body)?.kind ?? 'bytes') !== 'bytes'
}

/** The names in a path: `/orders/:orderId` has `orderId`. */
export function parameterNames(path: string) {
  return path
    .split('/')
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))
}
