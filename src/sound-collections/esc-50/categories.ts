/** The categories of ESC-50 by their number (its table meta/esc50.csv). */
export const categories: readonly string[] = [
  ...['dog', 'rooster', 'pig', 'cow', 'frog', 'cat', 'hen', 'insects', 'sheep', 'crow'],
  ...['rain', 'sea_waves', 'crackling_fire', 'crickets', 'chirping_birds'],
  ...['water_drops', 'wind', 'pouring_water', 'toilet_flush', 'thunderstorm'],
  ...['crying_baby', 'sneezing', 'clapping', 'breathing', 'coughing'],
  ...['footsteps', 'laughing', 'brushing_teeth', 'snoring', 'drinking_sipping'],
  ...['door_wood_knock', 'mouse_click', 'keyboard_typing', 'door_wood_creaks', 'can_opening'],
  ...['washing_machine', 'vacuum_cleaner', 'clock_alarm', 'clock_tick', 'glass_breaking'],
  ...['helicopter', 'chainsaw', 'siren', 'car_horn', 'engine'],
  ...['train', 'church_bells', 'airplane', 'fireworks', 'hand_saw'],
];

/** Those of the smaller set ESC-10. */
export const esc10Targets: ReadonlySet<number> = new Set([0, 1, 10, 11, 12, 20, 21, 38, 40, 41]);
