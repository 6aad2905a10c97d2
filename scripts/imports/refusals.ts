import { arrows } from './arrows.ts'
import { browserSafety } from './browser-safety.ts'
import { cycles } from './cycles.ts'
import { doors } from './doors.ts'
import { environment } from './environment.ts'
import { folderCircles } from './folder-circles.ts'
import { house } from './house.ts'
import { layers } from './layers.ts'
import { names } from './names.ts'
import { readSource } from './read-source.ts'
import type { Refusal } from './refusal.ts'

/** Every place in a repository that breaks a rule about imports. */
export function refusals(root: string, packages = house): Refusal[] {
  const { files, paths } = readSource(root)
  const unreadable = files.flatMap(({ path, syntaxErrors }) =>
    syntaxErrors.map(({ line, message }) => ({ path, line, rule: message })),
  )
  return [
    ...unreadable,
    ...cycles(files),
    ...layers(files, packages),
    ...folderCircles(files, Object.keys(packages)),
    ...arrows(files),
    ...doors(files),
    ...browserSafety(files),
    ...environment(files),
    ...names(paths),
  ]
}
