//! Extras of outputs are those of their types: what is written is read, and no key is without a type.

use relicast::asset::Game;
use relicast::scene::extras::{everquest, zipper};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::common::{self, sample_installs};

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            let members = members.map(|(key, value)| (key.clone(), without_nulls(value)));
            Value::Object(members.collect())
        }
        Value::Array(values) => values.iter().map(without_nulls).collect(),
        value => value.clone(),
    }
}

/// Extras that were compared, and those that differ from what their types read.
#[derive(Default)]
struct Compared {
    count: usize,
    odd: Vec<String>,
}

impl Compared {
    fn compare<T: DeserializeOwned + Serialize>(&mut self, path: &str, facts: &Value) {
        // The node of an emitter has the row of its file, whose keys are those of the file.
        if facts.is_null() || facts.get("EmitterDefIdx").is_some() {
            return;
        }
        self.count += 1;
        let read = T::deserialize(facts).map(|read| serde_json::to_value(read).unwrap());
        let is_same = match &read {
            Ok(read) => without_nulls(read) == without_nulls(facts),
            Err(_) => false,
        };
        if !is_same {
            self.odd
                .push(format!("{path}: {facts} is read as {read:?}"));
        }
    }

    /// Both families of the objects of a list, and of what is instanced in them.
    fn list<Z, E>(&mut self, path: &str, objects: &Value)
    where
        Z: DeserializeOwned + Serialize,
        E: DeserializeOwned + Serialize,
    {
        for object in objects.as_array().into_iter().flatten() {
            self.compare::<Z>(path, &object["extras"]["zipper"]);
            self.compare::<E>(path, &object["extras"]["everquest"]);
            self.list::<Z, E>(path, &object["extras"]["instances"]);
        }
    }

    fn document(&mut self, path: &str, gltf: &Value) {
        self.list::<zipper::Scene, everquest::Scene>(path, &gltf["scenes"]);
        self.list::<zipper::Node, everquest::Node>(path, &gltf["nodes"]);
        self.list::<zipper::Mesh, everquest::Mesh>(path, &gltf["meshes"]);
        for mesh in gltf["meshes"].as_array().into_iter().flatten() {
            self.list::<zipper::Primitive, everquest::Primitive>(path, &mesh["primitives"]);
        }
        self.list::<zipper::Material, everquest::Material>(path, &gltf["materials"]);
        self.list::<zipper::Texture, zipper::Texture>(path, &gltf["textures"]);
        self.list::<zipper::Camera, zipper::Camera>(path, &gltf["cameras"]);
        let lights = &gltf["extensions"]["KHR_lights_punctual"]["lights"];
        self.list::<zipper::Light, everquest::Light>(path, lights);
        self.list::<zipper::Clip, everquest::Clip>(path, &gltf["animations"]);
    }
}

#[test]
fn extras_of_the_samples_are_read_as_they_were_written() {
    let installs = sample_installs(&[Game::Rc, Game::Mw, Game::Pm, Game::Cs, Game::Eq]);
    let out = tempfile::tempdir().unwrap();
    let mut compared = Compared::default();
    for settings in [
        "",
        "[scenes]\nembed_cycles = true\nlayers = \"extras\"\n[worlds]\nstate = \"both\"\n\
         [everquest]\ngrass = true\nvolumes = true\nlights = true\nvertex_animation = \"extras\"\n",
    ] {
        let file = out.path().join("settings.toml");
        std::fs::write(&file, settings).unwrap();
        let to = out.path().join("out");
        let mut convert = common::convert(installs.path(), &to, &["--quiet", "--config"]);
        convert.arg(&file).assert().success();
        for path in common::files(&to)
            .iter()
            .filter(|path| path.ends_with(".gltf"))
        {
            let gltf = common::json(&to.join(path));
            compared.document(path, &gltf);
        }
    }
    let Compared { count, odd } = compared;
    assert!(odd.is_empty(), "{}", odd.join("\n"));
    assert!(count > 1500, "{count}");
}
