//! Nodes and models as the independent decoder returns them, for every game.

use std::path::Path;

use serde_json::Value;

use super::common::json;

/// A 3x4 matrix by its rows; it acts on row vectors.
pub type Rows = [[f64; 3]; 4];

pub const IDENTITY: Rows = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.0, 0.0, 0.0],
];

/// First `inner`, then `outer`.
pub fn multiply(inner: &Rows, outer: &Rows) -> Rows {
    let row = |row: &[f64; 3], offset: f64| {
        std::array::from_fn(|column| {
            (0..3).map(|k| row[k] * outer[k][column]).sum::<f64>() + offset * outer[3][column]
        })
    };
    [
        row(&inner[0], 0.0),
        row(&inner[1], 0.0),
        row(&inner[2], 0.0),
        row(&inner[3], 1.0),
    ]
}

/// A node that is an object, level of detail, or the world.
#[derive(Debug, Clone)]
pub struct Node {
    pub name: String,
    pub local: Rows,
    pub model: Option<usize>,
    pub children: Vec<usize>,
    pub is_object: bool,
}

/// A decode.
#[derive(Debug)]
pub struct File {
    pub nodes: Vec<Option<Node>>,
    pub models: Vec<Value>,
    /// Name of the texture of each material, none for plain colors.
    pub textures: Vec<Option<String>>,
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

pub fn vector<const N: usize>(value: &Value, names: [&str; N]) -> [f64; N] {
    names.map(|name| number(&value[name]))
}

/// About z, then x, then y; scale first.
fn turned(rotate: [f64; 3], scale: [f64; 3], translate: [f64; 3]) -> Rows {
    let [(sx, cx), (sy, cy), (sz, cz)] = rotate.map(f64::sin_cos);
    let rows = [
        [cy * cz + sy * sx * sz, cx * sz, cy * sx * sz - sy * cz],
        [sy * sx * cz - cy * sz, cx * cz, cy * sx * cz + sy * sz],
        [sy * cx, -sx, cy * cx],
    ];
    let scaled = |axis: usize| rows[axis].map(|part: f64| part * scale[axis]);
    [scaled(0), scaled(1), scaled(2), translate]
}

const XYZ: [&str; 3] = ["x", "y", "z"];

fn transform(value: &Value) -> Rows {
    if let Some(parts) = value.get("RotateTranslateScale") {
        return turned(
            vector(&parts["rotate"], XYZ),
            vector(&parts["scale"], XYZ),
            vector(&parts["translate"], XYZ),
        );
    }
    match value.get("Matrix") {
        Some(matrix) => std::array::from_fn(|row| {
            std::array::from_fn(|column| number(&matrix[format!("r{row}{column}")]))
        }),
        None => IDENTITY,
    }
}

fn indices(value: &Value) -> Vec<usize> {
    let list = value.as_array().into_iter().flatten();
    list.map(|index| usize::try_from(index.as_u64().unwrap()).unwrap())
        .collect()
}

fn classic_node(value: &Value) -> Option<Node> {
    let data = &value["data"];
    let object = data.get("Object3d");
    if object.is_none() && data.get("Lod").is_none() && data.get("World").is_none() {
        return None;
    }
    let model = value["model_index"].as_u64();
    Some(Node {
        name: value["name"].as_str().unwrap().to_owned(),
        local: object.map_or(IDENTITY, |object| transform(&object["transform"])),
        model: model.and_then(|model| usize::try_from(model).ok()),
        children: indices(&value["child_indices"]),
        is_object: object.is_some(),
    })
}

fn skies_node(value: &Value) -> Option<Node> {
    let object = value.get("Object3d");
    let data = object
        .or_else(|| value.get("Lod"))
        .or_else(|| value.get("World"))?;
    let local = object.map_or(IDENTITY, |object| match &object["transformation"] {
        Value::Null => IDENTITY,
        parts => {
            let matrix = &parts["matrix"];
            let translate = vector(&parts["translation"], XYZ);
            match matrix.is_null() {
                true => turned(vector(&parts["rotation"], XYZ), [1.0; 3], translate),
                false => {
                    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
                    let m = vector(matrix, names);
                    [
                        [m[0], m[1], m[2]],
                        [m[3], m[4], m[5]],
                        [m[6], m[7], m[8]],
                        translate,
                    ]
                }
            }
        }
    });
    let model = data["mesh_index"].as_u64();
    Some(Node {
        name: data["name"].as_str().unwrap().to_owned(),
        local,
        model: model.and_then(|model| usize::try_from(model).ok()),
        children: indices(&data["children"]),
        is_object: object.is_some(),
    })
}

fn list(path: &Path) -> Vec<Value> {
    json(path).as_array().unwrap().clone()
}

impl File {
    /// Of a world, or of aircraft.
    pub fn world(folder: &Path) -> Self {
        let nodes = list(&folder.join("nodes.json"));
        let raw = folder.join("raw.json");
        let materials = list(&folder.join("materials.json"));
        let names: Vec<String> = list(&folder.join("textures.json"))
            .iter()
            .map(|texture| {
                let name = texture.get("name").or_else(|| texture.get("original"));
                name.unwrap().as_str().unwrap().to_owned()
            })
            .collect();
        let skies = raw.is_file().then(|| json(&raw));
        let textures = materials.iter().enumerate().map(|(index, material)| {
            let own = match &skies {
                Some(raw) => raw["material_texture_indices"][index].as_u64(),
                None => material["Textured"]["texture_index"].as_u64(),
            }?;
            let first = match &skies {
                Some(raw) => &raw["cycle_texture_indices"][index.to_string()][0],
                None => &material["Textured"]["cycle"]["texture_indices"][0],
            };
            let shown = first.as_u64().unwrap_or(own);
            Some(names[usize::try_from(shown).unwrap()].clone())
        });
        Self {
            textures: textures.collect(),
            nodes: match skies {
                Some(_) => nodes.iter().map(skies_node).collect(),
                None => nodes.iter().map(classic_node).collect(),
            },
            models: list(&folder.join("models.json")),
        }
    }

    /// Of a 'mech.
    pub fn mech(folder: &Path, member: &str) -> Self {
        let value = json(&folder.join(format!("{member}.json")));
        let nodes = value["nodes"].as_array().unwrap();
        let textures = list(&folder.join("materials.json"));
        Self {
            nodes: nodes.iter().map(classic_node).collect(),
            models: value["models"].as_array().unwrap().clone(),
            textures: textures
                .iter()
                .map(|material| {
                    let name = material["Textured"]["texture_name"].as_str()?;
                    Some(name.to_owned())
                })
                .collect(),
        }
    }

    /// The transform of each node to the space of the root above it.
    pub fn to_world(&self) -> Vec<Rows> {
        let mut parents = vec![None; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            for &child in node.iter().flat_map(|node| &node.children) {
                parents[child].get_or_insert(index);
            }
        }
        let local = |index: usize| {
            self.nodes[index]
                .as_ref()
                .map_or(IDENTITY, |node| node.local)
        };
        (0..self.nodes.len())
            .map(|index| {
                let mut matrix = local(index);
                let mut at = index;
                while let Some(parent) = parents[at] {
                    matrix = multiply(&matrix, &local(parent));
                    at = parent;
                }
                matrix
            })
            .collect()
    }
}
