import type { PeopleStore } from './people-store.ts';

const seatsName = 'seats';

/**
 * Gives everybody who takes part a seat of the plan: the first that is free, or that of somebody whose link was revoked.
 *
 * @returns who got none
 */
export function takeSeats(people: PeopleStore, plan: { readonly seats: number }): readonly string[] {
  const seats = [...seatsOf(people)];
  const everyone = people.people();
  const active = new Set(everyone.flatMap(({ name, revoked }) => (revoked ? [] : [name])));
  const lastIn = (seat: number) => seats.findLast((one) => one.seat === seat)?.name;
  const all = Array.from({ length: plan.seats }, (_, seat) => seat);
  const without: string[] = [];
  for (const name of active) {
    const own = seats.find((one) => one.name === name)?.seat;
    if (own !== undefined && lastIn(own) === name) continue;
    const free = all.find((seat) => lastIn(seat) === undefined) ?? all.find((seat) => !active.has(lastIn(seat)!));
    if (own !== undefined || free === undefined) without.push(name);
    else seats.push({ name, seat: free });
  }
  people.remember(seatsName, seats);
  return without;
}

/** Who sits or sat where. */
type Seat = { readonly name: string; readonly seat: number };

/** In the order in which they were taken: the last one of a seat goes on with it. */
export function seatsOf(people: PeopleStore): readonly Seat[] {
  return (people.remembered(seatsName) ?? []) as readonly Seat[];
}
