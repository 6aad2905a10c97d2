interface Props {
  names: string[]
  chosen: string[]
  onChoose: (chosen: string[]) => void
  /** They are shown, and cannot be changed. */
  isFixed?: boolean
}

export function PermissionBoxes({ names, chosen, onChoose, isFixed = false }: Props) {
  const choose = (name: string, isChosen: boolean) =>
    onChoose(isChosen ? [...chosen, name] : chosen.filter((other) => other !== name))
  return (
    <fieldset disabled={isFixed} className="min-w-0">
      <legend className="font-medium text-sm">Permissions</legend>
      <div className="mt-2 grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {names.toSorted().map((name) => (
          <label key={name} className="flex items-center gap-2.5 py-1 text-sm">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) => choose(name, event.target.checked)}
              className="size-4 shrink-0 accent-accent"
            />
            <code className="[overflow-wrap:anywhere]">{name}</code>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
