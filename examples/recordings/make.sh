#!/bin/sh
# Makes recordings/ beside this file as somebody might have one: twelve clips of four synthetic voices, and a list of them.
# usage: sh make.sh, where `earwitness` is a command
set -eu
cd "$(dirname "$0")"
mkdir -p recordings
echo 'recording,said,caller,sex' > recordings/calls.csv
for caller in slt:female rms:male awb:male kal16:male; do
  voice=${caller%:*}
  n=0
  for said in 'please put the letters on the table' 'nobody expected snow in april' 'the train leaves at seven'; do
    n=$((n + 1))
    earwitness speak "$said" --synthesizer flite --voice "$voice" --output "recordings/$voice-$n.wav"
    echo "$voice-$n.wav,$said,$voice,${caller#*:}" >> recordings/calls.csv
  done
done
