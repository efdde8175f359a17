//! Events evaluated by the rules of the games, from JSON.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Channel {
    Translation,
    Rotation,
    Scale,
}

type Function = Box<dyn Fn(f64) -> Vec<f64>>;

/// Values that one event writes to one property.
struct Write {
    sequence: usize,
    start: f64,
    end: f64,
    value: Function,
}

/// The properties that the events of a definition write.
#[derive(Default)]
pub struct Evaluation {
    writes: BTreeMap<(String, Channel), Vec<Write>>,
    /// Written by events whose outcome is not one value.
    open: BTreeSet<(String, Channel)>,
    /// Seconds until the last sequence has ended.
    pub length: f64,
}

/// Seconds that animations take, by name.
pub type Lengths = BTreeMap<String, f64>;

/// A block of a frame: base, change per second, and the cubics where they hold.
#[derive(Debug, Clone)]
struct Block {
    base: Vec<f64>,
    delta: Vec<f64>,
    splines: Option<Vec<[f64; 4]>>,
}

#[derive(Debug, Clone)]
struct Frame {
    start: f64,
    end: f64,
    blocks: [Option<Block>; 3],
}

#[derive(Debug, Clone)]
pub struct Script {
    frames: Vec<Frame>,
}

const CHANNELS: [Channel; 3] = [Channel::Translation, Channel::Rotation, Channel::Scale];

fn number(value: &Value) -> f64 {
    // Files hold single precision.
    #[expect(clippy::cast_possible_truncation, reason = "the rounding is meant")]
    let narrow = value.as_f64().unwrap() as f32;
    f64::from(narrow)
}

fn xyz(value: &Value) -> Vec<f64> {
    ["x", "y", "z"]
        .iter()
        .map(|axis| number(&value[*axis]))
        .collect()
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn product(a: &[f64], b: &[f64]) -> Vec<f64> {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = ([a[0], a[1], a[2], a[3]], [b[0], b[1], b[2], b[3]]);
    vec![
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn axis(index: usize, angle: f64) -> Vec<f64> {
    let mut quat = vec![0.0, 0.0, 0.0, (angle / 2.0).cos()];
    quat[index] = (angle / 2.0).sin();
    quat
}

/// Roll first, then pitch, then yaw.
fn euler(angles: &[f64]) -> Vec<f64> {
    product(
        &axis(1, angles[1]),
        &product(&axis(0, angles[0]), &axis(2, angles[2])),
    )
}

impl Block {
    fn at(&self, channel: Channel, dt: f64) -> Vec<f64> {
        let moved: Vec<f64> = match &self.splines {
            Some(splines) => splines
                .iter()
                .map(|[a, b, c, d]| a + b * dt + c * dt * dt + d * dt * dt * dt)
                .collect(),
            None if channel == Channel::Rotation => {
                self.delta.iter().map(|rate| rate * dt).collect()
            }
            None => {
                let pairs = self.base.iter().zip(&self.delta);
                pairs.map(|(base, rate)| base + rate * dt).collect()
            }
        };
        if channel != Channel::Rotation {
            return moved;
        }
        let length = moved.iter().map(|part| part * part).sum::<f64>().sqrt();
        let factor = if length > 0.0 {
            length.sin() / length
        } else {
            1.0
        };
        let mut turn: Vec<f64> = moved.iter().map(|part| part * factor).collect();
        turn.push(length.cos());
        let turned = product(&turn, &self.base);
        let size = turned.iter().map(|part| part * part).sum::<f64>().sqrt();
        turned.iter().map(|part| part / size).collect()
    }
}

impl Script {
    /// From the JSON of the reference decoder, which names the four parts of a quaternion in the order
    /// of the file: the scalar, called x, is first.
    pub fn of_reference(script: &Value) -> Self {
        let block = |frame: &Value, index: usize, name: &str| {
            let block = frame.get(name).filter(|block| !block.is_null())?;
            let base = &block["base"];
            let base = match index {
                1 => ["y", "z", "w", "x"]
                    .iter()
                    .map(|part| number(&base[*part]))
                    .collect(),
                _ => xyz(base),
            };
            Some(Block {
                base,
                delta: xyz(&block["delta"]),
                splines: None,
            })
        };
        let frames = script["frames"].as_array().unwrap();
        let frame = |frame: &Value| Frame {
            start: number(&frame["start_time"]),
            end: number(&frame["end_time"]),
            blocks: [
                block(frame, 0, "translate"),
                block(frame, 1, "rotate"),
                block(frame, 2, "scale"),
            ],
        };
        Self {
            frames: frames.iter().map(frame).collect(),
        }
    }

    /// From the JSON of Crimson Skies, where a script says whether its splines hold.
    pub fn from_json(script: &Value) -> Self {
        let holds = script["spline_interp"] == 1;
        let splines = |raw: &Value| -> Vec<[f64; 4]> {
            let text = raw.as_str().unwrap();
            let bytes: Vec<u8> = (0..text.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
                .collect();
            let floats: Vec<f64> = bytes
                .chunks(4)
                .map(|word| f64::from(f32::from_le_bytes(word.try_into().unwrap())))
                .collect();
            floats
                .chunks(4)
                .map(|axis| axis.try_into().unwrap())
                .collect()
        };
        let block = |frame: &Value, index: usize, name: &str| {
            let block = frame.get(name).filter(|block| !block.is_null())?;
            let mut base = list(&block["base"]);
            if index == 1 {
                base.rotate_left(1);
            }
            Some(Block {
                base,
                delta: list(&block["delta"]),
                splines: holds.then(|| splines(&block["spline_raw"])),
            })
        };
        let frames = script["frames"].as_array().unwrap();
        let frame = |frame: &Value| Frame {
            start: number(&frame["start"]),
            end: number(&frame["end"]),
            blocks: [
                block(frame, 0, "translate"),
                block(frame, 1, "rotate"),
                block(frame, 2, "scale"),
            ],
        };
        Self {
            frames: frames.iter().map(frame).collect(),
        }
    }

    fn length(&self) -> f64 {
        self.frames.last().map_or(0.0, |frame| frame.end)
    }
}

/// Duration of an event of a sequence, and the values that it writes.
#[derive(Default)]
struct Effect {
    length: f64,
    writes: Vec<(String, Channel, f64, f64, Function)>,
    open: Vec<(String, Channel)>,
    ends: bool,
    /// Takes a time that cannot be known.
    falls: bool,
}

impl Effect {
    fn instant(node: &str, channel: Channel, value: Vec<f64>) -> Self {
        let function: Function = Box::new(move |_| value.clone());
        Self {
            writes: vec![(node.to_owned(), channel, 0.0, 0.0, function)],
            ..Self::default()
        }
    }

    fn line(&mut self, node: &str, channel: Channel, from: Vec<f64>, to: Vec<f64>, time: f64) {
        let function: Function = Box::new(move |u: f64| {
            let part = (u / time).clamp(0.0, 1.0);
            let value: Vec<f64> = from
                .iter()
                .zip(&to)
                .map(|(a, b)| a + (b - a) * part)
                .collect();
            match channel {
                Channel::Rotation => euler(&value),
                _ => value,
            }
        });
        self.length = time;
        self.writes
            .push((node.to_owned(), channel, 0.0, time, function));
    }

    fn script(&mut self, node: &str, script: &Script) {
        self.length = self.length.max(script.length());
        for (index, channel) in CHANNELS.into_iter().enumerate() {
            for frame in &script.frames {
                if let Some(block) = frame.blocks[index].clone() {
                    let (start, end) = (frame.start, frame.end);
                    let function: Function =
                        Box::new(move |u| block.at(channel, (u - start).clamp(0.0, end - start)));
                    self.writes
                        .push((node.to_owned(), channel, start, end, function));
                }
            }
        }
    }

    fn open(node: &str) -> Self {
        Self {
            open: CHANNELS.map(|channel| (node.to_owned(), channel)).to_vec(),
            ..Self::default()
        }
    }
}

impl Evaluation {
    /// Runs the sequences that start by themselves; each is a list of starts and effects.
    fn run(&mut self, sequences: Vec<Vec<(Gate, Effect)>>) {
        for (sequence, events) in sequences.into_iter().enumerate() {
            let mut ready: f64 = 0.0;
            let mut is_lost = false;
            for (gate, effect) in events {
                if is_lost {
                    let written = effect.writes.into_iter();
                    self.open
                        .extend(written.map(|(node, channel, ..)| (node, channel)));
                    self.open.extend(effect.open);
                    continue;
                }
                is_lost = effect.falls;
                let start = match gate {
                    Gate::Clock(time) => ready.max(time),
                    Gate::After(time) => ready + time,
                };
                ready = start + effect.length;
                self.length = self.length.max(ready);
                self.open.extend(effect.open);
                for (node, channel, from, to, value) in effect.writes {
                    let writes = self.writes.entry((node, channel)).or_default();
                    writes.push(Write {
                        sequence,
                        start: start + from,
                        end: start + to,
                        value: Box::new(move |time| value(time - start)),
                    });
                }
                if effect.ends {
                    break;
                }
            }
        }
    }

    pub fn written(&self) -> Vec<(String, Channel)> {
        let keys = self.writes.keys();
        keys.filter(|key| !self.open.contains(key))
            .cloned()
            .collect()
    }

    /// Times at which something starts.
    pub fn moments(&self) -> Vec<f64> {
        self.writes
            .values()
            .flatten()
            .map(|write| write.start)
            .collect()
    }

    /// Times around which a property may jump.
    pub fn jumps(&self, node: &str) -> Vec<f64> {
        let own = self.writes.iter().filter(|((name, _), _)| name == node);
        own.flat_map(|(_, writes)| writes)
            .flat_map(|write| [write.start, write.end])
            .collect()
    }

    /// The value of a property; none before anything has written it.
    pub fn at(&self, node: &str, channel: Channel, time: f64) -> Option<Vec<f64>> {
        let writes = &self.writes[&(node.to_owned(), channel)];
        let active = writes
            .iter()
            .filter(|write| write.start <= time && time < write.end);
        // Later sequences have the last word, and later events of one sequence.
        let mut winner: Option<&Write> = None;
        for write in active {
            if winner.is_none_or(|other| write.sequence >= other.sequence) {
                winner = Some(write);
            }
        }
        if winner.is_none() {
            for write in writes.iter().filter(|write| write.end <= time) {
                let later = winner
                    .is_none_or(|other| (write.end, write.sequence) >= (other.end, other.sequence));
                if later {
                    winner = Some(write);
                }
            }
        }
        winner.map(|write| (write.value)(time.min(write.end)))
    }

    pub fn of_reference(definition: &Value, scripts: &[Script], lengths: &Lengths) -> Self {
        let mut evaluation = Self::default();
        let sequences = definition["sequences"].as_array().unwrap();
        let initial = sequences
            .iter()
            .filter(|sequence| sequence["seq_state"] == "Initial");
        let runs = initial.map(|sequence| {
            let events = sequence["events"].as_array().unwrap();
            let timed = events.iter().map(|event| {
                let start = &event["start"];
                let gate = match start["offset"].as_str() {
                    Some("Event") => Gate::After(number(&start["time"])),
                    // Sequences that start by themselves start with the animation.
                    Some(_) => Gate::Clock(number(&start["time"])),
                    None => Gate::Clock(0.0),
                };
                let (kind, data) = event["data"].as_object().unwrap().iter().next().unwrap();
                (gate, reference_effect(kind, data, scripts, lengths))
            });
            timed.collect()
        });
        evaluation.run(runs.collect());
        evaluation
            .writes
            .retain(|(node, _), _| node != "INPUT_NODE");
        evaluation
    }

    pub fn from_json(definition: &Value, scripts: &[Script]) -> Self {
        let mut evaluation = Self::default();
        let nodes = &definition["tables"]["nodes"];
        let ids = &definition["tables"]["script_ids"];
        let sequences = definition["sequences"].as_array().unwrap();
        let initial = sequences
            .iter()
            .filter(|sequence| sequence["seq_state"] == 0);
        let runs = initial.map(|sequence| {
            let events = sequence["events"].as_array().unwrap();
            let timed = events.iter().map(|event| {
                let time = number(&event["start_time"]);
                let gate = match event["start_mode"].as_i64().unwrap() {
                    3 => Gate::After(time),
                    _ => Gate::Clock(time),
                };
                (gate, expected_effect(event, nodes, ids, scripts))
            });
            timed.collect()
        });
        evaluation.run(runs.collect());
        evaluation
            .writes
            .retain(|(node, _), _| node != "INPUT_NODE");
        evaluation
    }
}

/// When an event starts.
enum Gate {
    /// Not before a time of the animation's clock.
    Clock(f64),
    /// So long after the one before.
    After(f64),
}

fn reference_effect(kind: &str, data: &Value, scripts: &[Script], lengths: &Lengths) -> Effect {
    let text = |name: &str| data[name].as_str().unwrap_or_default().to_owned();
    let run_time = || number(&data["run_time"]);
    match kind {
        "ObjectTranslateState" => {
            let node = text("node");
            match data["relative"] == false && data["at_node"].is_null() {
                true => Effect::instant(&node, Channel::Translation, xyz(&data["state"])),
                false => Effect::open(&node),
            }
        }
        "ObjectScaleState" => Effect::instant(&text("name"), Channel::Scale, xyz(&data["state"])),
        "ObjectRotateState" => match data["basis"] == "Absolute" {
            true => {
                let value = euler(&xyz(&data["state"]));
                Effect::instant(&text("name"), Channel::Rotation, value)
            }
            false => Effect::open(&text("name")),
        },
        "ObjectMotionFromTo" => {
            let mut effect = Effect {
                length: run_time(),
                ..Effect::default()
            };
            let channels = [
                ("translate", Channel::Translation),
                ("rotate", Channel::Rotation),
                ("scale", Channel::Scale),
            ];
            for (name, channel) in channels {
                let range = &data[name];
                if !range.is_null() {
                    let (from, to) = (xyz(&range["from"]), xyz(&range["to"]));
                    effect.line(&text("name"), channel, from, to, run_time());
                }
            }
            effect
        }
        "ObjectMotionSiScript" => {
            let index = usize::try_from(data["index"].as_u64().unwrap()).unwrap();
            let mut effect = Effect::default();
            effect.script(&text("name"), &scripts[index]);
            effect
        }
        "ObjectMotion" => {
            let mut effect = Effect::open(&text("node"));
            // What falls without a time falls longer than these tests look.
            effect.falls = data["run_time"].is_null();
            effect.length = data["run_time"].as_f64().map_or(0.0, |_| run_time());
            effect
        }
        "CallAnimation" if !data["wait_for_completion"].is_null() => Effect {
            length: lengths.get(&text("name")).copied().unwrap_or_default(),
            ..Effect::default()
        },
        "Loop" => Effect {
            ends: true,
            ..Effect::default()
        },
        "ObjectConnector" | "CameraFromTo" | "LightAnimation" | "ObjectOpacityFromTo" => Effect {
            length: run_time(),
            ..Effect::default()
        },
        _ => Effect::default(),
    }
}

fn expected_effect(event: &Value, nodes: &Value, ids: &Value, scripts: &[Script]) -> Effect {
    let fields = &event["fields"];
    let node_at = |index: &Value| -> String {
        let index = usize::try_from(index.as_i64().unwrap()).unwrap_or(0);
        nodes[index]["name"]
            .as_str()
            .unwrap_or("INPUT_NODE")
            .to_owned()
    };
    let node = || node_at(&fields["node"]);
    let script = |record: &Value| {
        let slot = usize::try_from(record["script_slot"].as_u64().unwrap()).unwrap();
        let index = usize::try_from(ids[slot].as_u64().unwrap()).unwrap();
        &scripts[index]
    };
    let run_time = || number(&fields["run_time"]);
    match event["type"].as_u64().unwrap() {
        7 if fields["relative"] == 0 && fields["at_node"] == 0 => {
            Effect::instant(&node(), Channel::Translation, list(&fields["translate"]))
        }
        8 => Effect::instant(&node(), Channel::Scale, list(&fields["scale"])),
        9 if fields["flags"] == 0 => {
            Effect::instant(&node(), Channel::Rotation, euler(&list(&fields["rotate"])))
        }
        7 | 9 => Effect::open(&node()),
        10 => {
            let mut effect = Effect::open(&node());
            let flags = fields["flags"].as_u64().unwrap();
            effect.falls = flags & 0x400 == 0;
            effect.length = run_time();
            if flags == 0x420 {
                // A spin alone: the angles of the propeller at rest are zero.
                let (rate, bend) = (list(&fields["spin_rate"]), list(&fields["spin_accel"]));
                let time = run_time();
                let value: Function = Box::new(move |u| {
                    let u = u.min(time);
                    let turned = rate.iter().zip(&bend);
                    euler(
                        &turned
                            .map(|(rate, bend)| rate * u + bend * u * u / 2.0)
                            .collect::<Vec<_>>(),
                    )
                });
                effect.open.clear();
                effect
                    .writes
                    .push((node(), Channel::Rotation, 0.0, time, value));
            }
            effect
        }
        11 => {
            let mut effect = Effect {
                length: run_time(),
                ..Effect::default()
            };
            let channels = [
                (1, "translate", Channel::Translation),
                (2, "rotate", Channel::Rotation),
                (4, "scale", Channel::Scale),
            ];
            for (flag, name, channel) in channels {
                if fields["flags"].as_u64().unwrap() & flag != 0 {
                    let end = |which: &str| list(&fields[format!("{name}_{which}")]);
                    effect.line(&node(), channel, end("from"), end("to"), run_time());
                }
            }
            effect
        }
        12 => {
            let mut effect = Effect::default();
            effect.script(&node(), script(fields));
            effect
        }
        47 => {
            let mut effect = Effect::default();
            for record in fields["records"].as_array().unwrap() {
                effect.script(&node_at(&record["node"]), script(record));
            }
            effect
        }
        5 | 14 => Effect {
            length: run_time(),
            ..Effect::default()
        },
        30 => Effect {
            ends: true,
            ..Effect::default()
        },
        _ => Effect::default(),
    }
}
