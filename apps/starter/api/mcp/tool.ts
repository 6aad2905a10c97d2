import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { BadRequestError, type HandlerContext } from '@svc/core'
import type { OutputOf, t } from '@svc/core/contract'

interface ToolFacts<Input extends t.TObject> {
  name: string
  description: string
  /** The permission that the caller needs. The route that does the same asks for it too. */
  permission: string
  input: Input
  run: (c: HandlerContext, input: OutputOf<Input>) => Promise<unknown>
}

/** Something that an agent may do for its user. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly permission: string
  readonly inputSchema: t.TObject
  /** Runs the tool. Refuses input that doesn't match the schema. */
  readonly run: (c: HandlerContext, given: unknown) => Promise<unknown>
}

const schemas = new AjvJsonSchemaValidator()

export function defineTool<Input extends t.TObject>({
  input,
  run,
  ...facts
}: ToolFacts<Input>): Tool {
  const check = schemas.getValidator<OutputOf<Input>>(input)
  return {
    ...facts,
    inputSchema: input,
    run: async (c, given) => {
      const checked = check(given)
      if (!checked.valid) throw new BadRequestError({ message: checked.errorMessage })
      return run(c, checked.data)
    },
  }
}
