import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { BadRequestError, type HandlerContext } from '@svc/core'
import type { OutputOf, t } from '@svc/core/contract'

interface ToolFacts<Input extends t.TObject> {
  name: string
  description: string
  /** What its caller must hold: the same that the route asks for which does it. */
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
  /** Refuses what the schema does not let through. */
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
