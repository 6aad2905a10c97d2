// oxlint-disable-next-line typescript/no-deprecated -- see serving.ts
import { Server } from '@modelcontextprotocol/server'

/** The protocol's own class lets a call answer with contents alone. What a started task answers with has none. */
// oxlint-disable-next-line typescript/no-deprecated -- see serving.ts
export class EndpointServer extends Server {
  // oxlint-disable-next-line no-underscore-dangle -- the name is that of the class
  protected override _wrapHandler(...wrapping: Parameters<Server['_wrapHandler']>) {
    // oxlint-disable-next-line no-underscore-dangle -- the same
    const checked = super._wrapHandler(...wrapping)
    const wrapped: typeof checked = async (request, call) => {
      const { content, ...task } = await checked(request, call)
      return task.resultType === 'task' || task.task ? task : { ...task, content }
    }
    return wrapping[0] === 'tools/call' ? wrapped : checked
  }
}
